// What stands out this week, in the words and figures of the server's answer.

import { addressOf } from "../app/address.js";
import { noon, dateOf } from "../app/calendar.js";
import { html, icon, svg } from "../app/dom.js";
import { count, date, duration, list, number, scaled, unitName } from "../app/format.js";
import { localized, localizedName } from "../app/language.js";
import { category, shortName } from "../app/types.js";
import { empty } from "./cards.js";
import { plot, round } from "./plots.js";

/** The sentence for each kind of value, above and below what is usual; the server says the same in English. */
const sentences = {
  average: {
    higher: (values) =>
      localized("{value} on average in the last 7 days, above your usual {low} to {high}.", values),
    lower: (values) =>
      localized("{value} on average in the last 7 days, below your usual {low} to {high}.", values),
  },
  sum: {
    higher: (values) =>
      localized("{value} a day in the last 7 whole days, above your usual {low} to {high}.", values),
    lower: (values) =>
      localized("{value} a day in the last 7 whole days, below your usual {low} to {high}.", values),
  },
  nights: {
    higher: (values) =>
      localized("{value} a night in the last 7 nights, above your usual {low} to {high}.", values),
    lower: (values) =>
      localized("{value} a night in the last 7 nights, below your usual {low} to {high}.", values),
  },
  day: {
    higher: (values) =>
      localized("{value} on {weekday}, above your usual {low} to {high}.", values),
    lower: (values) =>
      localized("{value} on {weekday}, below your usual {low} to {high}.", values),
  },
  night: {
    higher: (values) =>
      localized("{value} in the night to {weekday}, above your usual {low} to {high}.", values),
    lower: (values) =>
      localized("{value} in the night to {weekday}, below your usual {low} to {high}.", values),
  },
};

const isSleep = ({ type }) => shortName(type) === "sleepAnalysis";

function kindOf(measure) {
  if (measure.finding === "day") return isSleep(measure) ? "night" : "day";
  if (isSleep(measure)) return "nights";
  return measure.isCumulative ? "sum" : "average";
}

/** What stands out and why. */
export function sentence(measure) {
  const { unit, type, fractionDigits, value, valueDate, usual, direction } = measure;
  const plain = (one) => isSleep(measure) ? duration(one) : number(scaled(one, unit), fractionDigits);
  const name = isSleep(measure) ? "" : unitName(unit, type);
  const full = (one) => name ? `${plain(one)} ${name}` : plain(one);
  return sentences[kindOf(measure)][direction]({
    value: full(value),
    low: plain(usual.minimum),
    high: full(usual.maximum),
    weekday: valueDate && date(noon(dateOf(new Date(valueDate))), "weekdayLong"),
  });
}

/** The contents of the card; what stood out by a `day` leads to its time. */
export function highlightContent({ highlights, usual, unknown }, day) {
  const names = (measures) => list(measures.map(({ name }) => localizedName(name, name)));
  if (highlights.length + usual.length === 0) {
    return empty(
      localized("Nothing to compare yet"),
      localized("Your usual range requires 8 weeks with data. Then what stands out appears here."),
    );
  }
  return [
    highlights.length > 0
      ? html("ul.list.highlights", highlights.map((measure) => item(measure, day)))
      : html("p", html("b", localized("Nothing stands out this week."))),
    usual.length > 0 &&
      html("p.muted.small", { "data-usual": usual.length }, localized("As usual: {names}.", { names: names(usual) })),
    unknown.length > 0 &&
      html(
        "details.muted.small",
        html("summary", count(
          unknown.length,
          "Not enough data yet for {count} type",
          "Not enough data yet for {count} types",
        )),
        html("p", `${names(unknown)}.`),
      ),
  ];
}

function item(measure, date) {
  const { name, type, direction } = measure;
  const address = addressOf(isSleep(measure) ? "trends/sleep" : ["trends", "type", type, "month"], { date });
  return html(
    "li",
    { class: category(type), "data-highlight": type },
    html(
      "a",
      { href: address },
      html("span.badge", icon(direction === "higher" ? "up" : "down")),
      html(
        "span.text",
        html("span.title", localizedName(name, name)),
        html("br"),
        html("span.detail", sentence(measure)),
      ),
      html("span.range", { "aria-hidden": "true" }, usualRange(measure)),
    ),
  );
}

/** The usual range as a band, and the value as a dot beside it. */
function usualRange({ value, usual }) {
  return plot("", 20, (picture, width) => {
    const [low, high] = [Math.min(value, usual.minimum), Math.max(value, usual.maximum)];
    const x = (one) => round(6 + ((width - 12) * (one - low)) / Math.max(1e-9, high - low));
    const [start, end] = [x(usual.minimum), x(usual.maximum)];
    picture.append(
      svg("rect.track", { x: start, y: 5, width: Math.max(4, end - start), height: 10, rx: 5 }),
      svg("circle.bar", { cx: x(value), cy: 10, r: 5 }),
    );
  });
}
