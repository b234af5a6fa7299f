// A calendar of activity rings.

import * as api from "../app/api.js";
import { addDays, addMonths, dateOf, instant, noon, startOfMonth, startOfWeek } from "../app/calendar.js";
import { html, put, withdraw } from "../app/dom.js";
import { count, date, number, percent } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import { attempt, backLink, empty, head, liveMark, nothingYet, skeleton } from "../components/cards.js";
import { openDay } from "../components/ring-day.js";
import { ringsLabel, smallRings } from "../components/rings.js";
import { sectionLinks } from "./trends.js";

/** Months are added in steps. */
const monthStep = 6;
const ringTypes = /ActivitySummary|ActiveEnergy|AppleExercise|AppleStand|AppleMove/;

export async function render({ main, signal }) {
  let months = monthStep;
  const grid = html("div.months", skeleton("block", "block", "block"));
  const figures = html("dl.figures.roomy");
  const more = html("button.button", { type: "button" }, localized("Earlier months"));
  put(
    main,
    head(localized("Activity rings"), { eyebrow: backLink("trends", localized("Trends")), actions: [liveMark()] }),
    html(
      "div.stack",
      sectionLinks("rings"),
      html("section.card.rings-card", { "aria-label": localized("Calendar of rings") }, figures, grid),
      html("div.row", more),
    ),
  );
  const place = { show: (...parts) => put(grid, ...parts) };
  const load = () =>
    attempt([place], signal, async () => {
      const today = dateOf();
      const first = addMonths(startOfMonth(today), 1 - months);
      const parameters = { start: instant(first), end: instant(addDays(today, 1)) };
      const [{ activitySummaries, summary }, { types }] = await Promise.all([
        api.read("activity-summaries", parameters),
        api.read("types"),
      ]);
      if (signal.aborted) return;
      const earliest = firstDay(types) ?? first;
      const isAll = earliest >= first;
      put(figures, summary && ringCounts(summary));
      const byDate = new Map(activitySummaries.map((one) => [one.date, one]));
      if (summary) put(grid, monthsOf(byDate, earliest > first ? startOfMonth(earliest) : first, today));
      else put(grid, isAll ? noRings() : empty(localized("No rings in these months")));
      withdraw(more, "hidden", isAll, grid.lastElementChild?.querySelector("button"));
    });
  more.addEventListener("click", () => {
    months += monthStep;
    load();
  });
  live.listen((types) => {
    const isAffected = [...types].some((type) => ringTypes.test(type));
    if (types.size === 0 || isAffected) load();
  }, signal);
  await load();
}

const noRings = () =>
  nothingYet(
    localized("No rings yet"),
    localized("Rings come from an Apple Watch, through an import or a synced iPhone."),
  );

/** The day from which on there can be rings. */
function firstDay(types) {
  const starts = types.filter(({ type }) => ringTypes.test(type)).map(({ startDate }) => dateOf(new Date(startDate)));
  return starts.sort()[0];
}

function ringCounts({ days, closed, closedShare, longestStreak }) {
  const entries = [
    [localized("All three closed"), number(closed.all), count(days, "of {count} day", "of {count} days")],
    [localized("Move closed"), percent(closedShare.move), "", "move"],
    [localized("Exercise closed"), percent(closedShare.exercise), "", "exercise"],
    [localized("Stand closed"), percent(closedShare.stand), "", "stand"],
    [localized("Longest streak"), count(longestStreak, "{count} day", "{count} days")],
  ];
  return entries.map(([name, value, unit, tone]) =>
    html("div", { class: tone }, html("dt", name), html("dd", value, unit && html("small", ` ${unit}`)))
  );
}

/** The months with rings, from today's back to the first. */
function monthsOf(summaries, first, today) {
  const known = new Set([...summaries.keys()].map(startOfMonth));
  const found = [];
  for (let month = startOfMonth(today); month >= first; month = addMonths(month, -1)) {
    if (known.has(month)) found.push(monthSection(month, summaries, today));
  }
  return found;
}

function monthSection(month, summaries, today) {
  const name = date(noon(month), "month");
  const monday = startOfWeek(month);
  const cells = Array.from({ length: 7 }, (_, index) => {
    const weekday = date(noon(addDays(monday, index)), "weekday").slice(0, 2);
    return html("li.name", { "aria-hidden": "true" }, weekday);
  });
  for (let day = monday; day < month; day = addDays(day, 1)) cells.push(html("li", { "aria-hidden": "true" }));
  for (let day = month; day < addMonths(month, 1); day = addDays(day, 1)) {
    cells.push(html("li", day > today ? html("span.tiny", Number(day.slice(8))) : dayButton(day, summaries.get(day))));
  }
  return html("section.month", { "aria-label": name }, html("h2", name), html("ol", cells));
}

function dayButton(day, summary) {
  const label = `${date(noon(day), "day")}: ${summary ? ringsLabel(summary.rings) : localized("no data")}`;
  return html(
    "button",
    { type: "button", "aria-label": label, onclick: () => openDay(day, summary) },
    html("span", { "aria-hidden": "true" }, Number(day.slice(8))),
    smallRings(summary?.rings),
  );
}
