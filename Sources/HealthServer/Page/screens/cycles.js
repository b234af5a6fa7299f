// Cycle tracking: a calendar of flow, and how long the cycles were.

import * as api from "../app/api.js";
import { addDays, addMonths, dateOf, daysBetween, instant, noon } from "../app/calendar.js";
import { startOfMonth, startOfWeek } from "../app/calendar.js";
import { html, put } from "../app/dom.js";
import { axisTexts, date, dateRange, number } from "../app/format.js";
import { localized, plural } from "../app/language.js";
import { live } from "../app/live.js";
import { typeAddress, typeName } from "../app/types.js";
import { attempt, backLink, card, figures, head, liveMark, nothingYet, skeleton } from "../components/cards.js";
import { color, LargeChart } from "../components/charts.js";
import { PagedScreen } from "../components/paged-screen.js";
import { table } from "../components/value-table.js";

const identifier = "HKCategoryTypeIdentifierMenstrualFlow";
const ovulation = "HKCategoryTypeIdentifierOvulationTestResult";
const spotting = "HKCategoryTypeIdentifierIntermenstrualBleeding";
const shownMonths = 3;
/** The cycles that the chart has. */
const mostCycles = 24;
const levels = { unspecified: 2, light: 1, medium: 2, heavy: 3 };
const levelNames = [localized("Light flow"), localized("Medium flow"), localized("Heavy flow")];
const positive = new Set(["positive", "luteinizingHormoneSurge", "estrogenSurge"]);

class CycleScreen extends PagedScreen {
  constructor({ main, signal }) {
    super({ main, signal });
    this.chart = new LargeChart({ height: "mid" });
    signal.addEventListener("abort", () => this.chart.destroy());
    this.months = html("div.stack", skeleton("block"));
    const look = { tone: "cycle", symbol: "cycle", className: "wide" };
    this.lengths = card(localized("Cycle length"), look, skeleton("block"));
  }

  async start() {
    put(
      this.main,
      head(localized("Cycle Tracking"), { eyebrow: backLink("trends", localized("Trends")), actions: [liveMark()] }),
      html(
        "div.stack",
        html("section.card.cycle", { "aria-label": localized("Calendar") }, this.pager, this.months),
        this.lengths.element,
      ),
    );
    live.listen((types) => {
      if (types.size === 0 || [...types].some((type) => [identifier, ovulation, spotting].includes(type))) this.load();
    }, this.signal);
    await this.load();
  }

  load() {
    const isShown = this.beginLoad();
    const end = addMonths(startOfMonth(dateOf()), 1 - this.back * shownMonths);
    const start = addMonths(end, -shownMonths);
    this.showPeriod(dateRange(noon(start), noon(addDays(end, -1)), "month"));
    return attempt([{ show: (...parts) => put(this.months, ...parts) }], this.signal, async () => {
      const within = { start: instant(start), end: instant(end) };
      const [all, shown, tests, bleedings] = await Promise.all([
        api.read("cycles"),
        api.read("cycles", { days: true, ...within }),
        api.read("samples", { type: ovulation, limit: 1000, ...within }),
        api.read("samples", { type: spotting, limit: 1000, ...within }),
      ]);
      if (!isShown()) return;
      this.showLengths(all);
      this.withdrawEarlier(!all.cycles.some(({ startDay }) => startDay < start));
      const marks = new Map(shown.days.map((one) => [one.date, { flow: one.valueName }]));
      const mark = (sample, entry) => {
        const day = dateOf(new Date(sample.startDate));
        marks.set(day, { ...marks.get(day), ...entry });
      };
      for (const one of tests.samples) if (positive.has(one.valueName)) mark(one, { isFertile: true });
      for (const one of bleedings.samples) mark(one, { isSpotting: true });
      for (const { startDay } of all.cycles) marks.set(startDay, { ...marks.get(startDay), isStart: true });
      this.showMonths(start, end, marks);
    });
  }

  showMonths(start, end, marks) {
    const months = [];
    for (let month = start; month < end; month = addMonths(month, 1)) months.push(monthOf(month, marks));
    put(
      this.months,
      html("div.months.cycles", months),
      html(
        "ul.legend",
        levelNames.map((name, index) => html("li", html(`span.flow.flow-${index + 1}`), name)),
        html("li", html("span.flow.fertile"), localized("Positive ovulation test")),
        html("li", html("span.flow.spotting"), localized("Spotting")),
      ),
      html("p.small", html("a", { href: typeAddress(ovulation) }, typeName(ovulation))),
    );
  }

  showLengths({ cycles, averageDays, averagePeriodDays }) {
    const whole = cycles.filter(({ days }) => days !== undefined).slice(-mostCycles);
    if (cycles.length === 0) {
      const text = localized("A cycle begins with the first day of a period. Log flow, or import an export.");
      this.lengths.show(nothingYet(localized("No cycles yet"), text));
      return;
    }
    const latest = cycles.at(-1);
    const days = (value) => plural(value, "{count} day", "{count} days", { count: number(value, 1) });
    this.lengths.show(
      figures([
        [localized("Average cycle"), averageDays === undefined ? "–" : days(averageDays)],
        [localized("Average period"), averagePeriodDays === undefined ? "–" : days(averagePeriodDays)],
        [localized("Latest period began"), date(noon(latest.startDay))],
      ], "roomy"),
      whole.length > 1 ? this.chart.element : null,
      html(
        "div.scroll",
        { tabindex: "0", role: "region", "aria-label": localized("Cycles") },
        table(
          localized("Cycles"),
          [localized("Start"), localized("Period length"), localized("Cycle length")],
          [...cycles].reverse().map((cycle) => [
            date(noon(cycle.startDay), "date"),
            days(cycle.periodDays),
            cycle.days === undefined ? "–" : days(cycle.days),
          ]),
        ),
      ),
    );
    if (whole.length < 2) return;
    this.chart.show({
      labels: whole.map(({ startDay }) => date(noon(startDay), "short")),
      sets: [
        {
          kind: "bars",
          name: localized("Cycle length"),
          color: () => color("cycle", 0.34),
          values: whole.map((one) => one.days),
        },
        {
          kind: "bars",
          name: localized("Period length"),
          color: () => color("cycle"),
          values: whole.map((one) => one.periodDays),
        },
      ],
      format: days,
      axis: (values) => axisTexts(values, "d"),
      title: (index) => date(noon(whole[index].startDay), "date"),
      label: localized("Lengths of cycles and periods in days. The table has all values."),
    });
  }
}

function monthOf(month, marks) {
  const first = daysBetween(startOfWeek(month), month);
  const days = [];
  for (let day = month; day < addMonths(month, 1); day = addDays(day, 1)) days.push(day);
  const blanks = Array.from({ length: first }, () => html("li", { "aria-hidden": "true" }));
  const cell = (day) => {
    const mark = marks.get(day) ?? {};
    const level = levels[mark.flow];
    const said = [
      level && levelNames[level - 1],
      mark.isStart && localized("first day of the cycle"),
      mark.isFertile && localized("Positive ovulation test"),
      mark.isSpotting && localized("Spotting"),
    ].filter(Boolean).join(", ");
    const look = level ? `flow-${level}` : mark.isFertile ? "fertile" : mark.isSpotting ? "spotting" : "";
    return html(
      "li",
      { title: said || null },
      html("span.flow", { class: look }, String(Number(day.slice(8)))),
      said && html("span.sr", said),
    );
  };
  return html(
    "section.month",
    html("h3", date(noon(month), "month")),
    html("ol", weekdays(), blanks, days.map(cell)),
  );
}

function weekdays() {
  // 2024-01-01 was a Monday.
  return Array.from({ length: 7 }, (_, index) =>
    html("li.name", { "aria-hidden": "true" }, date(noon(addDays("2024-01-01", index)), "weekday"))
  );
}

export async function render(context) {
  await new CycleScreen(context).start();
}
