// One type over time: by hour, day, week, month or year, compared with the time before, and by source.

import { addressOf } from "../app/address.js";
import * as api from "../app/api.js";
import { addDays, addMonths, dateOf, instant } from "../app/calendar.js";
import { html, put } from "../app/dom.js";
import { amountAndUnit, date, dateRange, percent, signedPercent } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import {
  cutText,
  dayAfter,
  intervalNames,
  intervalsOf,
  openPart,
  partKey,
  partLabel,
  parts,
  partTitle,
  period,
  periodBefore,
  periodOfPart,
  periods,
  periodTitle,
} from "../app/periods.js";
import { categories, category, isCumulative, shortName, typeName } from "../app/types.js";
import { attempt, backLink, card, empty, figures, head, liveMark, nothingYet } from "../components/cards.js";
import { skeleton } from "../components/cards.js";
import { LargeChart } from "../components/charts.js";
import { compactSelect, segmented } from "../components/controls.js";
import { marksOf, readNotes } from "../components/notes.js";
import { PagedScreen } from "../components/paged-screen.js";
import { dayAddress, dayLink } from "../components/ring-day.js";
import { sparkline } from "../components/plots.js";
import { SourceOrder } from "../components/source-order.js";
import { byPart, CategorySeries, QuantitySeries } from "../components/type-series.js";

/** The types whose values are drawn together for a correlation. */
const members = { bloodPressure: ["bloodPressureSystolic", "bloodPressureDiastolic"] };
const comparisons = [
  ["none", localized("Compare …")],
  ["before", localized("The period before"), localized("Against the period before")],
  ["year", localized("A year before"), localized("Against a year before")],
];
/** A year before, on the same weekdays; of months, the same ones. */
const daysOfYear = 364;
const yearBefore = (date, interval) => interval === "month" ? addMonths(date, -12) : addDays(date, -daysOfYear);

/** Fetches and shows one type, and remembers what was chosen while the screen is shown. */
class TypeScreen extends PagedScreen {
  constructor({ path: [identifier, range], chosen, ...context }) {
    super({ chosen, ...context }, {
      identifier,
      range: range in periods ? range : "month",
      interval: chosen.by,
      compared: comparisons.some(([key]) => key === chosen.compare) ? chosen.compare : "none",
      isBySource: chosen.sources === "apart",
      tone: category(identifier),
    });
    this.chart = new LargeChart();
    this.signal.addEventListener("abort", () => this.chart.destroy());
  }

  async start() {
    const box = this.build();
    const [{ types }, notes] = await Promise.all([api.read("types"), readNotes()]);
    if (this.signal.aborted) return;
    this.notes = notes;
    this.type = types.find(({ type }) => type === this.identifier || shortName(type) === this.identifier);
    if (!this.type) {
      const text = localized("Data of this type appears here when it is imported, logged or synced.");
      const link = html("a.button", { href: "#/trends" }, localized("All types"));
      const title = localized("No data yet: {type}", { type: typeName(this.identifier) });
      put(box, nothingYet(title, text, link));
      this.startWhenThereIsData();
      return;
    }
    this.identifier = this.type.type;
    this.first = this.type.startDate ? dateOf(new Date(this.type.startDate)) : undefined;
    this.latest = this.type.endDate ? dateOf(new Date(this.type.endDate)) : undefined;
    if (!this.intervals.includes(this.interval)) [this.interval] = this.intervals;
    this.showControls();
    live.listen((changed) => {
      if (changed.size === 0 || changed.has(this.identifier)) this.load();
    }, this.signal);
    await Promise.all([
      this.load(),
      // Their order is the person's to see and to set.
      api.session.isOwner && this.showSources(),
      this.isQuantity && this.type.aggregationStyle && this.showTrend(),
    ]);
  }

  startWhenThereIsData() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    live.listen((changed) => {
      if (!this.type && changed.has(this.identifier)) this.start();
    }, this.signal);
  }

  get isQuantity() {
    return this.type.kind === "quantity";
  }

  get intervals() {
    return intervalsOf(this.range, this.first);
  }

  get path() {
    return ["trends", "type", this.identifier, this.range];
  }

  get choices() {
    return {
      by: this.interval !== this.intervals[0] && this.interval,
      compare: this.compared !== "none" && this.compared,
      sources: this.isBySource && "apart",
    };
  }

  spanAt(day) {
    return period(this.range, day, this.first);
  }

  dayAfter(span) {
    return dayAfter(this.range, span);
  }

  // Building

  build() {
    const name = typeName(this.identifier);
    this.controls = html("div.row.apart");
    this.summary = html("div.summary", skeleton("title"));
    this.legend = html("ul.legend");
    this.wholeDay = html("div.above");
    this.table = html("div.scroll", {
      hidden: true,
      tabindex: "0",
      role: "region",
      "aria-label": localized("Values as a table"),
    });
    this.tableButton = html(
      "button.button.small",
      { type: "button", "aria-pressed": "false", onclick: () => this.toggleTable() },
      localized("Table"),
    );
    this.allData = html("a.button.small", { "data-action": "all-data" }, localized("All data"));
    this.details = html("div.grid");
    const box = html(
      "section.card",
      { class: `${this.tone} main-chart`, "aria-label": name },
      this.controls,
      this.pager,
      this.note,
      this.summary,
      this.chart.element,
      this.legend,
      this.wholeDay,
      this.table,
    );
    put(
      this.main,
      head(name, { eyebrow: backLink("trends", localized("Trends")), actions: [liveMark()] }),
      html("div.stack", box, this.details),
    );
    return box;
  }

  showControls() {
    const ranges = Object.entries(periods).map(([key, { label, name }]) => [key, label, name]);
    const intervals = this.intervals.map((interval) => [interval, intervalNames[interval]]);
    const canCompare = this.range !== "all" && this.isQuantity;
    put(
      this.controls,
      segmented(localized("Period"), ranges, this.range, (range) => this.chooseRange(range)),
      html(
        "div.row.selects",
        compactSelect(localized("Divided"), intervals, this.interval, (interval) => this.change({ interval })),
        canCompare &&
          compactSelect(localized("Compare with"), comparisons, this.compared, (compared) => this.change({ compared })),
        this.tableButton,
        this.allData,
      ),
    );
  }

  chooseRange(range) {
    const shown = this.change({ range, interval: intervalsOf(range, this.first)[0] });
    this.showControls();
    this.controls.querySelector("[aria-pressed=true]").focus();
    return shown;
  }

  toggleTable() {
    this.table.hidden = !this.table.hidden;
    this.tableButton.setAttribute("aria-pressed", String(!this.table.hidden));
  }

  // Loading

  async load() {
    const isShown = this.beginLoad();
    const span = this.spanWith(this.latest);
    const isFirst = this.first !== undefined && span.start <= this.first;
    this.showPeriod(periodTitle(span), { isAll: this.range === "all", isFirst });
    this.allData.href = this.allDataAddress(span);
    const place = { show: (...content) => put(this.summary, ...content) };
    await attempt([place], this.signal, async () => {
      const drawn = members[shortName(this.identifier)] ?? [this.identifier];
      const answers = await Promise.all(drawn.map((type) => this.read(type, span)));
      if (isShown()) this.show(span, answers);
    });
  }

  allDataAddress(span, sort) {
    const shown = this.range === "all" ? {} : { from: span.start, to: addDays(span.end, -1) };
    return addressOf(["trends", "samples", this.identifier], { ...shown, sort });
  }

  read(type, span) {
    const isCompared = this.compared !== "none" && this.range !== "all" && this.isQuantity;
    const earlier = isCompared ? this.earlierSpan(span) : null;
    const quantities = isCumulative(this.type) ? "sum" : "average,min,max";
    const options = [this.type.kind !== "category" && quantities, this.isBySource && "separateBySource"];
    return api.read("statistics", {
      type,
      interval: this.interval,
      start: instant(span.start),
      end: instant(span.end),
      options: options.filter(Boolean).join(","),
      summary: true,
      compareStart: earlier && instant(earlier.start),
      compareEnd: earlier && instant(earlier.end),
    });
  }

  earlierSpan(span) {
    if (this.compared !== "year") return periodBefore(this.range, span);
    return { start: yearBefore(span.start, this.interval), end: yearBefore(span.end, this.interval) };
  }

  comparisonNames() {
    const [, name, title] = comparisons.find(([key]) => key === this.compared);
    return { name, title };
  }

  // Showing

  show(span, answers) {
    const list = parts(span, this.interval);
    const series = this.type.kind === "category"
      ? new CategorySeries(this.identifier, answers[0], list, this.interval)
      : new QuantitySeries(answers, list, this.interval, {
        isSum: this.isQuantity && isCumulative(this.type),
        isBySource: this.isBySource,
        highest: answers.length === 1 && this.allDataAddress(span, "-value"),
        comparison: answers[0].comparison && {
          ...this.comparisonNames(),
          list: parts(this.earlierSpan(span), this.interval),
        },
      });
    const { sets, format, formatRange, axis } = series;
    const noData = localized("The latest is from {date}.", { date: date(this.type.endDate) });
    put(this.summary, series.isEmpty ? empty(localized("No data in this period"), noData) : figures(series.figures()));
    put(this.legend, sets.length > 1 && sets.map(legendEntry));
    put(this.wholeDay, this.range === "day" && dayLink(span.start, { class: "button small" }));
    const statisticAt = byPart(answers.flatMap(({ statistics }) => statistics), this.interval);
    // A part that the period cuts isn't to be compared with whole ones.
    const cuts = list.map((part) => cutText(statisticAt(part)));
    const open = span.end > dateOf() ? openPart(list, this.interval) : -1;
    const titles = list.map((part, index) =>
      [partTitle(part, this.interval), cuts[index], index === open && localized("so far")].filter(Boolean).join(" ")
    );
    const addresses = list.map((part) => this.addressOfPart(part));
    put(this.table, this.tableOf(titles, addresses, sets, { format, formatRange }));
    const title = `${typeName(this.identifier)}, ${periodTitle(span)}, ${intervalNames[this.interval]}`;
    this.chart.show({
      labels: list.map((part, index) => cuts[index] || partLabel(part, this.interval, list.length)),
      sets,
      format,
      formatRange,
      axis,
      open,
      addresses,
      title: (index) => titles[index],
      stacked: this.type.kind === "category",
      marks: marksOf(this.notes, [this.identifier], list.map(partKey), span),
      label: localized("{title}. The table has all the values.", { title }),
    });
  }

  /** Where a part leads: from the year to the month, from that to the day, and from its hours to everything of it. */
  addressOfPart(part) {
    if (this.interval === "hour" && this.range === "day") return dayAddress(part[0]);
    const [range, date] = periodOfPart(part, this.interval);
    return addressOf(["trends", "type", this.identifier, range], { date });
  }

  tableOf(titles, addresses, sets, { format, formatRange }) {
    const text = (value) => {
      if (value === null || value === undefined) return "–";
      return Array.isArray(value) ? formatRange(value) : format(value);
    };
    const row = (title, index) =>
      html(
        "tr",
        html("td", addresses[index] ? html("a", { href: addresses[index] }, title) : title),
        sets.map(({ values }) => html("td", text(values[index]))),
      );
    const columns = [localized("Time"), ...sets.map(({ name }) => name)];
    return html(
      "table.table",
      html("caption.sr", `${typeName(this.identifier)}, ${intervalNames[this.interval]}`),
      html(
        "thead",
        html("tr", columns.map((name) => html("th", { scope: "col" }, name))),
      ),
      html("tbody", titles.map(row)),
    );
  }

  /** The last seven days against the four weeks before, and this week against the last one. */
  async showTrend() {
    const look = { tone: this.tone, symbol: categories[this.tone].icon };
    const box = card(localized("Last 7 whole days"), look, skeleton("title", "line"));
    this.details.append(box.element);
    await attempt([box], this.signal, async () => {
      const { trends: [answer] } = await api.read("trends", { type: this.identifier });
      if (this.signal.aborted) return;
      if (answer?.trend?.recent.average === undefined) {
        box.show(empty(
          localized("No data in seven days"),
          localized("The latest is from {date}.", { date: date(this.type.endDate) }),
        ));
      } else {
        box.show(...this.trendContent(answer));
      }
    });
  }

  trendContent({ unit, trend: { recent, baseline, values, direction, relativeChange }, week }) {
    const entry = (name, value, tone) => [name, ...amountAndUnit(value, unit, this.identifier), tone];
    const label = localized("{name} in the last five weeks", { name: typeName(this.identifier) });
    return [
      figures([
        entry(rangeName(recent), recent.average, this.tone),
        baseline.average === undefined
          ? [localized("Four weeks before"), "–", null, "other"]
          : entry(localized("Four weeks before"), baseline.average, "other"),
        week?.relativeChange !== undefined && [localized("This week vs. last"), signedPercent(week.relativeChange)],
      ]),
      html("p.small", { "data-trend": direction }, trendText(direction, relativeChange)),
      sparkline(label, values.map(({ value }) => value), 72),
    ];
  }

  async showSources() {
    const order = new SourceOrder(this.identifier, () => this.load());
    const look = { tone: this.tone, symbol: "data", className: "sources" };
    const box = card(localized("Sources"), look, skeleton("line", "line"));
    this.details.prepend(box.element);
    await attempt([box], this.signal, async () => {
      const sources = await order.load();
      if (this.signal.aborted) return;
      const hasSeveral = sources.length > 1;
      const text = hasSeveral
        ? localized("Where sources overlap, the one further up counts. Drag them, or use the arrows.")
        : localized("All data of this type is from one source.");
      box.show(
        html("p.muted.small", text),
        order.element,
        this.isQuantity && hasSeveral && html("div", this.sourcesButton()),
      );
    });
  }

  sourcesButton() {
    const show = () => {
      button.setAttribute("aria-pressed", String(this.isBySource));
      button.textContent = this.isBySource ? localized("Show merged") : localized("Compare sources");
    };
    const toggle = () => {
      this.change({ isBySource: !this.isBySource });
      show();
    };
    const button = html("button.button.small", { type: "button", onclick: toggle });
    show();
    return button;
  }
}

/** The days of a period of whole days: Nov 9 – 15. */
const rangeName = ({ startDate, endDate }) =>
  dateRange(new Date(startDate), new Date(Date.parse(endDate) - 1), "short");

/** In a legend, a swatch looks as its data set is drawn. */
function legendEntry({ name, tone, kind, dashed }) {
  return html("li", html("span.dot", { class: `${tone} as-${dashed ? "dashed" : kind}` }), name);
}

/** The direction that HealthInsights finds, in words. */
function trendText(direction, relativeChange = 0) {
  const change = percent(Math.abs(relativeChange));
  switch (direction) {
    case "higher":
      return localized("{change} higher than in the four weeks before: more than it usually varies.", { change });
    case "lower":
      return localized("{change} lower than in the four weeks before: more than it usually varies.", { change });
    case "similar":
      return localized("Within what is usual for the four weeks before.");
    default:
      return localized("There are too few days to compare.");
  }
}

export async function render(context) {
  await new TypeScreen(context).start();
}
