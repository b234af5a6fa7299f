// A calendar of activity rings.

import * as api from "../app/api.js";
import { addDays, addMonths, dateOf, instant, noon, startOfMonth, startOfWeek } from "../app/calendar.js";
import { html, put } from "../app/dom.js";
import { count, date, dateRange, number, percent } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import { attempt, backLink, empty, head, liveMark, nothingYet, skeleton } from "../components/cards.js";
import { PagedScreen } from "../components/paged-screen.js";
import { openDay } from "../components/ring-day.js";
import { ringsLabel, smallRings } from "../components/rings.js";
import { sectionLinks } from "../components/trend-sections.js";

const shownMonths = 6;
const ringTypes = /ActivitySummary|ActiveEnergy|AppleExercise|AppleStand|AppleMove/;

class RingScreen extends PagedScreen {
  constructor(context) {
    super(context);
    this.grid = html("div.months", skeleton("block", "block", "block"));
    this.figures = html("dl.figures.roomy");
  }

  async start() {
    put(
      this.main,
      head(localized("Activity rings"), { eyebrow: backLink("trends", localized("Trends")), actions: [liveMark()] }),
      html(
        "div.stack",
        sectionLinks("rings"),
        html(
          "section.card.rings-card",
          { "aria-label": localized("Calendar of rings") },
          this.pager,
          this.note,
          this.figures,
          this.grid,
        ),
      ),
    );
    live.listen((types) => {
      const isAffected = [...types].some((type) => ringTypes.test(type));
      if (types.size === 0 || isAffected) this.load();
    }, this.signal);
    await this.load();
  }

  spanAt(day = dateOf()) {
    const end = addMonths(startOfMonth(day), 1);
    return { start: addMonths(end, -shownMonths), end };
  }

  dayAfter({ end }) {
    return addMonths(end, shownMonths - 1);
  }

  async load() {
    const isShown = this.beginLoad();
    await attempt([{ show: (...parts) => put(this.grid, ...parts) }], this.signal, async () => {
      const { types } = await api.read("types");
      if (!isShown()) return;
      const [earliest, latest] = daysOfRings(types);
      const { start, end } = this.spanWith(latest);
      const isFirst = !earliest || start <= earliest;
      this.showPeriod(dateRange(noon(start), noon(addDays(end, -1)), "month"), { isFirst });
      const today = dateOf();
      const until = end > today ? addDays(today, 1) : end;
      const parameters = { start: instant(start), end: instant(until) };
      const { activitySummaries, summary } = await api.read("activity-summaries", parameters);
      if (!isShown()) return;
      put(this.figures, summary && ringCounts(summary));
      const byDate = new Map(activitySummaries.map((one) => [one.date, one]));
      if (summary) put(this.grid, monthsOf(byDate, start, addDays(until, -1)));
      else put(this.grid, earliest ? empty(localized("No rings in these months")) : noRings());
    });
  }
}

const noRings = () =>
  nothingYet(
    localized("No rings yet"),
    localized("Rings come from an Apple Watch, through an import or a synced iPhone."),
  );

/** The first and the last day on which there can be rings. */
function daysOfRings(types) {
  const found = types.filter(({ type }) => ringTypes.test(type));
  const starts = found.map(({ startDate }) => dateOf(new Date(startDate)));
  // A day ends when the next one begins.
  const ends = found.map(({ endDate }) => dateOf(new Date(Date.parse(endDate) - 1)));
  return [starts.sort()[0], ends.sort().at(-1)];
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

/** The months with rings, from that of a day back to the first. */
function monthsOf(summaries, first, last) {
  const known = new Set([...summaries.keys()].map(startOfMonth));
  const found = [];
  for (let month = startOfMonth(last); month >= first; month = addMonths(month, -1)) {
    if (known.has(month)) found.push(monthSection(month, summaries, last));
  }
  return found;
}

function monthSection(month, summaries, last) {
  const name = date(noon(month), "month");
  const first = startOfWeek(month);
  const cells = Array.from({ length: 7 }, (_, index) => {
    const weekday = date(noon(addDays(first, index)), "weekday").slice(0, 2);
    return html("li.name", { "aria-hidden": "true" }, weekday);
  });
  for (let day = first; day < month; day = addDays(day, 1)) cells.push(html("li", { "aria-hidden": "true" }));
  for (let day = month; day < addMonths(month, 1); day = addDays(day, 1)) {
    cells.push(html("li", day > last ? html("span.tiny", Number(day.slice(8))) : dayButton(day, summaries.get(day))));
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

export async function render(context) {
  await new RingScreen(context).start();
}
