// Blood pressure as pairs: each measurement is one bar from the lower to the upper pressure.

import * as api from "../app/api.js";
import { addDays, dateOf, daysBetween, instant, noon } from "../app/calendar.js";
import { html, put } from "../app/dom.js";
import { amount, axisTexts, count, date, number, rangeAndUnit } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import { dayAfter, period, periods, periodTitle } from "../app/periods.js";
import { typeAddress, typeName } from "../app/types.js";
import { allDataLink, attempt, backLink, card, empty, figures, head, liveMark } from "../components/cards.js";
import { nothingYet, skeleton } from "../components/cards.js";
import { color, daySteps, LargeChart } from "../components/charts.js";
import { segmented } from "../components/controls.js";
import { PagedScreen } from "../components/paged-screen.js";
import { table } from "../components/value-table.js";

const identifier = "HKCorrelationTypeIdentifierBloodPressure";
const members = {
  upper: "HKQuantityTypeIdentifierBloodPressureSystolic",
  lower: "HKQuantityTypeIdentifierBloodPressureDiastolic",
};
const ranges = ["week", "month", "half", "year", "all"];
/** The measurements that are drawn at once. */
const mostPairs = 400;

const member = (pair, type) => pair.objects?.find((one) => one.type === type);

class PressureScreen extends PagedScreen {
  constructor({ path: [, range], ...context }) {
    super(context, { range: ranges.includes(range) ? range : null });
    this.controls = html("div.row.apart");
    this.chart = new LargeChart();
    this.signal.addEventListener("abort", () => this.chart.destroy());
    this.summary = html("div.summary", skeleton("title"));
    const tone = { tone: "vitals", symbol: "pressure", className: "wide" };
    this.list = card(localized("Measurements"), tone, skeleton("line", "line"));
  }

  async start() {
    const link = (type) => html("a", { href: typeAddress(type) }, typeName(type));
    put(
      this.main,
      head(typeName(identifier), {
        eyebrow: backLink("trends", localized("Trends")),
        actions: [allDataLink(identifier), liveMark()],
      }),
      html(
        "div.stack",
        html(
          "section.card.vitals.main-chart",
          { "aria-label": localized("Blood pressure over time") },
          this.controls,
          this.pager,
          this.note,
          this.summary,
          this.chart.element,
          html("p.small", link(members.upper), " · ", link(members.lower)),
        ),
        this.list.element,
      ),
    );
    live.listen((types) => {
      if (types.size === 0 || types.has(identifier)) this.load();
    }, this.signal);
    await this.load();
  }

  get path() {
    return ["trends", "type", identifier, this.range];
  }

  spanAt(day) {
    return period(this.range, day, this.first);
  }

  dayAfter(span) {
    return dayAfter(this.range, span);
  }

  showControls() {
    if (this.controls.firstChild) return;
    const names = ranges.map((key) => [key, periods[key].label, periods[key].name]);
    const choose = (range) => this.change({ range });
    put(this.controls, segmented(localized("Period"), names, this.range, choose));
  }

  async load() {
    const isShown = this.beginLoad();
    await attempt([{ show: (...parts) => put(this.summary, ...parts) }], this.signal, async () => {
      const { types } = await api.read("types");
      const known = types.find(({ type }) => type === identifier);
      const first = known?.startDate && dateOf(new Date(known.startDate));
      this.first = first;
      this.range ??= usualRange(first);
      this.showControls();
      const span = this.spanWith(known?.endDate && dateOf(new Date(known.endDate)));
      const within = { start: instant(span.start), end: instant(span.end) };
      const of = (type) => api.read("statistics", { type, options: "average,min,max", ...within });
      const [{ samples, nextCursor }, upper, lower] = await Promise.all([
        api.read("samples", { type: identifier, sort: "-startDate", limit: mostPairs, ...within }),
        of(members.upper),
        of(members.lower),
      ]);
      if (!isShown()) return;
      this.showPeriod(periodTitle(span), { isAll: this.range === "all", isFirst: !first || span.start <= first });
      const pairs = samples.filter((pair) => member(pair, members.upper) && member(pair, members.lower));
      this.show(pairs, upper.statistics[0], lower.statistics[0], span, nextCursor);
    });
  }

  show(pairs, upper, lower, span, isCut) {
    if (pairs.length === 0 || !upper || !lower) {
      const text = localized("Measurements come from a monitor, an app or the journal.");
      put(this.summary, nothingYet(localized("No data in this period"), text));
      this.list.show(empty(localized("No measurements"), ""));
      this.chart.clear();
      return;
    }
    const pair = (name, ...of) => [name, of.map((value) => amount(value, upper.unit)).join("/"), "mmHg"];
    put(
      this.summary,
      figures([
        pair(localized("Average"), upper.averageQuantity, lower.averageQuantity),
        [localized("Upper"), ...rangeAndUnit([upper.minimumQuantity, upper.maximumQuantity], upper.unit)],
        [localized("Lower"), ...rangeAndUnit([lower.minimumQuantity, lower.maximumQuantity], lower.unit)],
        [localized("Measurements"), `${number(pairs.length)}${isCut ? "+" : ""}`],
      ]),
    );
    this.draw(pairs, span);
    const rows = pairs.map((one) => [
      date(one.startDate, "moment"),
      text(one),
      one.source,
    ]);
    this.list.show(
      html(
        "div.scroll.pairs",
        { tabindex: "0", role: "region", "aria-label": localized("All measurements") },
        table(
          localized("Blood pressure in mmHg"),
          [localized("Date"), localized("Upper/lower"), localized("Source")],
          rows,
        ),
      ),
      isCut && html(
        "p.muted.small",
        localized("The latest {count} of the period. A shorter period shows all.", { count: number(mostPairs) }),
      ),
    );
  }

  draw(pairs, span) {
    const ascending = [...pairs].reverse();
    const start = instant(span.start).getTime();
    const days = ascending.map(({ startDate }) => (Date.parse(startDate) - start) / 86400000);
    const values = ascending.map((one) => [
      member(one, members.lower).quantity,
      member(one, members.upper).quantity,
    ]);
    const title = count(pairs.length, "Blood pressure, {count} measurement", "Blood pressure, {count} measurements");
    this.chart.show({
      labels: [],
      times: days,
      timeEnd: (instant(span.end).getTime() - start) / 86400000,
      timeSteps: daySteps,
      timeText: (day) => date(noon(addDays(span.start, day)), "short"),
      sets: [{ kind: "range", name: typeName(identifier), color: () => color("vitals"), values }],
      format: (value) => amount(value, "mmHg"),
      formatRange: (value) => `${amount(value[1], "mmHg")}/${amount(value[0], "mmHg")} mmHg`,
      axis: (all) => axisTexts(all, "mmHg"),
      title: (index) => date(ascending[index].startDate, "moment"),
      label: `${title}. ${localized("The table has all values.")}`,
    });
  }
}

/** The shortest period that has all measurements, up to half a year. */
function usualRange(first = dateOf()) {
  const days = daysBetween(first, dateOf());
  return days < 30 ? "month" : "half";
}

function text(pair) {
  const [upper, lower] = [member(pair, members.upper), member(pair, members.lower)];
  return `${amount(upper.quantity, upper.unit)}/${amount(lower.quantity, lower.unit)}`;
}

export async function render(context) {
  await new PressureScreen(context).start();
}
