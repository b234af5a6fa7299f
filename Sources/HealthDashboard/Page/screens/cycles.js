// Cycle tracking: a calendar of flow, and how long the cycles were.

import * as api from "../app/api.js";
import { addDays, addMonths, dateOf, instant, noon, startOfMonth } from "../app/calendar.js";
import { html, icon, put } from "../app/dom.js";
import { axisTexts, date, dateRange, number } from "../app/format.js";
import { localized, plural } from "../app/language.js";
import { live } from "../app/live.js";
import { typeAddress, typeName } from "../app/types.js";
import { allDataLink, attempt, backLink, card, figures, head, liveMark } from "../components/cards.js";
import { nothingYet, skeleton } from "../components/cards.js";
import { color, LargeChart } from "../components/charts.js";
import { formOfName, log } from "../components/entries.js";
import { flowLevel, flowNames, monthOf } from "../components/flow-calendar.js";
import { PagedScreen } from "../components/paged-screen.js";
import { table } from "../components/value-table.js";

const identifier = "HKCategoryTypeIdentifierMenstrualFlow";
const ovulation = "HKCategoryTypeIdentifierOvulationTestResult";
const spotting = "HKCategoryTypeIdentifierIntermenstrualBleeding";
const shownMonths = 3;
/** The cycles that the chart has. */
const mostCycles = 24;
const positive = new Set(["positive", "luteinizingHormoneSurge", "estrogenSurge"]);

class CycleScreen extends PagedScreen {
  constructor(context) {
    super(context);
    this.chart = new LargeChart({ height: "mid" });
    this.signal.addEventListener("abort", () => this.chart.destroy());
    this.months = html("div.stack", skeleton("block"));
    const look = { tone: "cycle", symbol: "cycle", className: "wide" };
    this.lengths = card(localized("Cycle length"), look, skeleton("block"));
  }

  async start() {
    put(
      this.main,
      head(localized("Cycle Tracking"), {
        eyebrow: backLink("trends", localized("Trends")),
        actions: [this.logButton(), allDataLink(identifier), liveMark()],
      }),
      html(
        "div.stack",
        html("section.card.cycle", { "aria-label": localized("Calendar") }, this.pager, this.note, this.months),
        this.lengths.element,
      ),
    );
    live.listen((types) => {
      if (types.size === 0 || [...types].some((type) => [identifier, ovulation, spotting].includes(type))) this.load();
    }, this.signal);
    await this.load();
  }

  logButton() {
    if (!api.session.isOwner) return null;
    const open = () => formOfName("menstrualFlow")(log);
    const button = { type: "button", "data-log": "period", onclick: open };
    return html("button.button.small", button, icon("plus"), localized("Log period"));
  }

  spanAt(day = dateOf()) {
    const end = addMonths(startOfMonth(day), 1);
    return { start: addMonths(end, -shownMonths), end };
  }

  dayAfter({ end }) {
    return addMonths(end, shownMonths - 1);
  }

  load() {
    const isShown = this.beginLoad();
    return attempt([{ show: (...parts) => put(this.months, ...parts) }], this.signal, async () => {
      const all = await api.read("cycles");
      if (!isShown()) return;
      const { start, end } = this.spanWith(all.cycles.at(-1)?.startDay);
      this.showPeriod(dateRange(noon(start), noon(addDays(end, -1)), "month"));
      const within = { start: instant(start), end: instant(end) };
      const [shown, tests, bleedings] = await Promise.all([
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
    for (let month = start; month < end; month = addMonths(month, 1)) months.push(monthOfMarks(month, marks));
    put(
      this.months,
      html("div.months.cycles", months),
      html(
        "ul.legend",
        flowNames.map((name, index) => html("li", html(`span.flow.flow-${index + 1}`), name)),
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

function monthOfMarks(month, marks) {
  return monthOf(month, (day) => {
    const mark = marks.get(day) ?? {};
    const level = mark.flow ? flowLevel(mark.flow) : 0;
    const said = [
      level > 0 && flowNames[level - 1],
      mark.isStart && localized("first day of the cycle"),
      mark.isFertile && localized("Positive ovulation test"),
      mark.isSpotting && localized("Spotting"),
    ].filter(Boolean).join(", ");
    const look = level > 0 ? `flow-${level}` : mark.isFertile ? "fertile" : mark.isSpotting ? "spotting" : "";
    return html(
      "li",
      { title: said || null },
      html("span.flow", { class: look }, String(Number(day.slice(8)))),
      said && html("span.sr", said),
    );
  });
}

export async function render(context) {
  await new CycleScreen(context).start();
}
