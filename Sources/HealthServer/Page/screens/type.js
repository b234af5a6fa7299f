// One type over time: by hour, day, week, month or year, compared with the time before, and by source.

import * as api from "../app/api.js";
import { live } from "../app/live.js";
import { addDays, dateOf, daysBetween, instant, timeOf } from "../app/calendar.js";
import { html, icon, put } from "../app/dom.js";
import {
  amount,
  axisAmount,
  date,
  duration,
  number,
  percent,
  quantity,
  scaled,
  shortDuration,
  signed,
  unitName,
} from "../app/format.js";
import {
  intervalNames,
  intervalsOf,
  partKey,
  partLabel,
  parts,
  partTitle,
  period,
  periods,
  periodTitle,
} from "../app/periods.js";
import { categories, category, isCumulative, shortName, typeName, valueName } from "../app/types.js";
import { color, LargeChart } from "../components/charts.js";
import { card, empty, failure, figures, head, liveMark, skeleton } from "../components/cards.js";
import { segmented, select } from "../components/controls.js";
import { sparkline } from "../components/plots.js";
import { SourceOrder } from "../components/sources.js";

const pair = { bloodPressure: ["bloodPressureSystolic", "bloodPressureDiastolic"] };
const sleepColors = {
  inBed: "stage-bed",
  awake: "stage-awake",
  asleepREM: "stage-rem",
  asleepCore: "stage-core",
  asleepDeep: "stage-deep",
  asleepUnspecified: "stage-asleep",
};
const palette = ["c", "accent", "nutrition", "body"];

/** Fetches and shows one type; keeps what was chosen while the page lives. */
class TypeScreen {
  constructor({ main, path, signal }) {
    this.main = main;
    this.signal = signal;
    this.identifier = path[0];
    this.range = path[1] in periods ? path[1] : "month";
    this.back = 0;
    this.compare = "none";
    this.bySource = false;
    this.tone = category(this.identifier);
    this.chart = new LargeChart();
    signal.addEventListener("abort", () => this.chart.destroy());
  }

  async start() {
    const name = typeName(this.identifier);
    this.title = html("h2", { "aria-live": "polite" }, "\u00a0");
    this.summary = html("div.summary", skeleton("title"));
    this.legend = html("ul.legend");
    this.table = html("div.scroll", { hidden: true, tabindex: "0", role: "region", "aria-label": "Values as a table" });
    this.controls = html("div.row.apart");
    this.details = html("div.grid");
    const box = html(
      "section.card",
      { class: `${this.tone} main-chart`, "aria-label": name },
      this.controls,
      html("div.row.apart", this.title, this.pager()),
      this.summary,
      this.chart.element,
      this.legend,
      this.table,
    );
    put(
      this.main,
      head(name, { eyebrow: html("a", { href: "#/trends" }, icon("left", "small"), "Trends"), actions: [liveMark()] }),
      html("div.stack", box, this.details),
    );
    const { types } = await api.read("types");
    if (this.signal.aborted) return;
    this.type = types.find((type) => type.type === this.identifier || shortName(type.type) === this.identifier);
    if (!this.type) {
      put(
        box,
        empty(
          `No ${name} yet`,
          "Data of this type appears here when it is imported, logged or synced.",
          html("a.button", { href: "#/trends" }, "All types"),
        ),
      );
      return;
    }
    this.identifier = this.type.type;
    this.first = this.type.startDate ? dateOf(new Date(this.type.startDate)) : undefined;
    this.interval = intervalsOf(this.range, this.first)[0];
    this.showControls();
    this.showSources();
    this.showTrend();
    await this.load();
    live.listen((changed) => {
      if (changed.size === 0 || changed.has(this.identifier)) this.load();
    }, this.signal);
  }

  pager() {
    this.earlier = html("button.button.icon-only.small", {
      type: "button",
      "aria-label": "Earlier",
      onclick: () => this.page(1),
    }, icon("left"));
    this.later = html("button.button.icon-only.small", {
      type: "button",
      "aria-label": "Later",
      onclick: () => this.page(-1),
    }, icon("right"));
    this.tableButton = html("button.button.small", {
      type: "button",
      "aria-pressed": "false",
      onclick: () => this.toggleTable(this.tableButton),
    }, "Table");
    return html("div.row.pager", this.earlier, this.later);
  }

  page(step) {
    this.back = Math.max(0, this.back + step);
    this.load();
  }

  showControls() {
    const ranges = segmented(
      "Period",
      Object.entries(periods).map(([key, { label, name }]) => [key, label, name]),
      this.range,
      (value) => {
        this.range = value;
        this.back = 0;
        this.interval = intervalsOf(value, this.first)[0];
        this.showControls();
        this.controls.querySelector("[aria-pressed=true]").focus();
        this.load();
      },
    );
    const labelled = (text, control) => {
      control.setAttribute("aria-label", text);
      control.classList.add("compact");
      return control;
    };
    const intervals = labelled(
      "Divided",
      select(intervalsOf(this.range, this.first).map((key) => [key, intervalNames[key]]), this.interval, (value) => {
        this.interval = value;
        this.load();
      }),
    );
    const compare = labelled(
      "Compare with",
      select(
        [["none", "Compare …"], ["before", "The period before"], ["year", "A year before"]],
        this.compare,
        (value) => {
          this.compare = value;
          this.load();
        },
      ),
    );
    put(
      this.controls,
      ranges,
      html(
        "div.row.selects",
        intervals,
        this.range !== "all" && this.type.kind === "quantity" && compare,
        this.tableButton,
      ),
    );
  }

  toggleTable(button) {
    this.table.hidden = !this.table.hidden;
    button.setAttribute("aria-pressed", String(!this.table.hidden));
  }

  /** The types whose values are drawn: those of a correlation are drawn together. */
  get drawn() {
    return pair[shortName(this.identifier)] ?? [this.identifier];
  }

  get isSum() {
    return this.type.kind === "quantity" && isCumulative(this.type);
  }

  async fetch(type, span, separate = false) {
    const options = this.type.kind === "category"
      ? (separate ? "separateBySource" : undefined)
      : `${this.isSum ? "sum" : "average,min,max"}${separate ? ",separateBySource" : ""}`;
    const answer = await api.read("statistics/collection", {
      type,
      interval: this.interval,
      start: instant(span.start),
      end: instant(span.end),
      options,
    });
    const byPart = new Map(answer.statistics.map((statistic) => [this.key(statistic.startDate), statistic]));
    return { unit: answer.unit, at: (part) => byPart.get(partKey(part)) };
  }

  key(startDate) {
    const moment = new Date(startDate);
    return this.interval === "hour" ? `${dateOf(moment)}T${timeOf(moment).slice(0, 2)}` : dateOf(moment);
  }

  async load() {
    const run = Symbol("load");
    this.run = run;
    const span = period(this.range, this.back, this.first);
    this.title.textContent = periodTitle(span);
    this.later.disabled = this.back === 0 || this.range === "all";
    this.earlier.disabled = this.range === "all" || (this.first !== undefined && span.start <= this.first);
    try {
      const shown = await Promise.all(this.drawn.map((type) => this.fetch(type, span, this.bySource)));
      const before = this.compare === "none" || this.range === "all"
        ? null
        : await this.fetch(this.drawn[0], this.earlierSpan(span));
      if (this.signal.aborted || this.run !== run) return;
      this.span = span;
      this.show(span, shown, before);
    } catch (error) {
      if (!this.signal.aborted && error.name !== "AbortError") put(this.summary, failure(error, () => this.load()));
    }
  }

  earlierSpan(span) {
    if (this.compare === "year") return { start: addDays(span.start, -364), end: addDays(span.end, -364) };
    return period(this.range, this.back + 1);
  }

  show(span, shown, before) {
    const list = parts(span, this.interval);
    const unit = shown[0].unit;
    const { sets, rows } = this.type.kind === "category"
      ? this.categorySets(list, shown[0])
      : this.quantitySets(list, shown, before, span);
    const format = this.formatter(unit, sets);
    put(
      this.legend,
      sets.length > 1 &&
        sets.map((set) =>
          html("li", html("span.dot", { class: `${set.tone} as-${set.dashed ? "dashed" : set.kind}` }), set.name)
        ),
    );
    put(this.summary, this.figuresOf(list, shown, before, span));
    put(this.table, this.tableOf(list, rows, format));
    this.chart.show({
      labels: list.map((part) => partLabel(part, this.interval, list.length)),
      sets,
      format,
      title: (index) => partTitle(list[index], this.interval),
      stacked: this.type.kind === "category",
      label: `${typeName(this.identifier)}, ${periodTitle(span)}, ${
        intervalNames[this.interval].toLowerCase()
      }. The table has all the values.`,
    });
  }

  formatter(unit, sets) {
    if (this.type.kind === "category") {
      return sets.isCount
        ? (value) => number(value)
        : (value, isAxis) => (isAxis ? `${number(value, 1)} h` : duration(value * 3600));
    }
    return (value, isAxis) => (isAxis ? axisAmount(value, unit) : quantity(value, unit, this.identifier));
  }

  quantitySets(list, shown, before, span) {
    const base = category(this.identifier);
    const sets = [];
    const rows = [];
    const single = (statistic) => (this.isSum ? statistic?.sumQuantity : statistic?.averageQuantity) ?? null;
    if (this.bySource) {
      const names = new Map();
      for (const part of list) {
        for (const source of shown[0].at(part)?.sources ?? []) names.set(source.bundleIdentifier, source.source);
      }
      [...names].slice(0, 4).forEach(([bundle, name], index) =>
        sets.push({
          kind: this.isSum ? "bars" : "line",
          name,
          tone: `series-${index}`,
          color: () => color(index === 0 ? base : palette[index]),
          values: list.map((part) =>
            single(shown[0].at(part)?.sources?.find((source) => source.bundleIdentifier === bundle))
          ),
        })
      );
    } else if (this.isSum) {
      sets.push({
        kind: "bars",
        name: typeName(this.identifier),
        tone: base,
        color: () => color(base),
        values: list.map((part) => single(shown[0].at(part))),
      });
    } else {
      shown.forEach((data, index) => {
        const name = shown.length > 1 ? typeName(this.drawn[index]) : "Range";
        const tone = () => color(index === 0 ? base : "accent", 0.34);
        sets.push({
          kind: "range",
          name,
          tone: index === 0 ? base : "series-1",
          color: tone,
          values: list.map((part) => {
            const statistic = data.at(part);
            return statistic?.minimumQuantity === undefined
              ? null
              : [statistic.minimumQuantity, statistic.maximumQuantity];
          }),
        });
        sets.push({
          kind: list.length > 60 ? "line" : "points",
          name: shown.length > 1 ? `${name}, average` : "Average",
          tone: index === 0 ? base : "series-1",
          color: () => color(index === 0 ? base : "accent"),
          values: list.map((part) => single(data.at(part))),
        });
      });
    }
    rows.push(...sets.map((set) => [set.name, set.values]));
    if (before) {
      const earlier = parts(this.earlierSpan(span), this.interval);
      const values = list.map((_, index) => single(before.at(earlier[index] ?? "")));
      sets.push({
        kind: "line",
        dashed: true,
        name: this.compare === "year" ? "A year before" : "The period before",
        tone: "other",
        color: () => color("ink-2"),
        values,
        order: -2,
      });
      rows.push([sets.at(-1).name, values]);
    }
    return { sets, rows };
  }

  categorySets(list, data) {
    const seen = new Map();
    let total = 0;
    for (const part of list) {
      for (const value of data.at(part)?.values ?? []) {
        seen.set(value.value, value.valueName ?? String(value.value));
        total += value.duration ?? 0;
      }
    }
    const tones = [this.tone, "accent", "nutrition", "mobility", "respiratory", "body", "other"];
    const isCount = total < 60;
    const isSleep = shortName(this.identifier) === "sleepAnalysis";
    const tone = (name, index) => (isSleep ? sleepColors[name] ?? "other" : tones[index % tones.length]);
    const sets = [...seen].sort(([a], [b]) => a - b).map(([value, name], index) => ({
      kind: "bars",
      name: valueName(name),
      tone: isSleep
        ? tone(name, index).replace(/^(?!stage)/, "tone-")
        : index === 0
        ? this.tone
        : `tone-${tone(name, index)}`,
      color: () => color(tone(name, index)),
      values: list.map((part) => {
        const found = data.at(part)?.values?.find((candidate) => candidate.value === value);
        return found ? (isCount ? found.count : found.duration / 3600) : null;
      }),
    })).filter((set) => set.values.some((one) => one > 0));
    sets.isCount = isCount;
    return { sets, rows: sets.map((set) => [set.name, set.values]) };
  }

  figuresOf(list, shown, before, span) {
    if (this.type.kind === "category") {
      const sets = this.categorySets(list, shown[0]).sets;
      const total = (values) => values.reduce((sum, value) => sum + (value ?? 0), 0);
      if (!sets.length) return empty("No data in this period", "Choose another period, or go back in time.");
      return figures(
        sets.slice(0, 6).map((
          set,
        ) => [
          set.name,
          sets.isCount ? number(total(set.values)) : shortDuration(total(set.values) * 3600),
          sets.isCount ? "times" : null,
          set.tone,
        ]),
      );
    }
    const entries = [];
    shown.forEach((data, index) => {
      const statistics = list.map((part) => data.at(part)).filter(Boolean);
      if (!statistics.length) return;
      const unit = data.unit;
      const name = unitName(unit, this.identifier);
      const prefix = shown.length > 1 ? `${typeName(this.drawn[index]).split(" ")[0]} ` : "";
      if (this.isSum) {
        const sum = statistics.reduce((all, statistic) => all + (statistic.sumQuantity ?? 0), 0);
        const days = this.daysWithData(statistics, span);
        entries.push(["Total", amount(sum, unit), name]);
        if (days > 1) entries.push(["Average a day", amount(sum / days, unit), name]);
        if (statistics.length > 1) {
          entries.push([
            `Most ${this.interval === "hour" ? "in an hour" : `in a ${this.interval}`}`,
            amount(Math.max(...statistics.map((statistic) => statistic.sumQuantity ?? 0)), unit),
            name,
          ]);
        }
        if (before) entries.push(this.change(sum, this.sumOf(before, span), unit));
      } else {
        const means = statistics.map((statistic) => statistic.averageQuantity).filter(Number.isFinite);
        const mean = means.reduce((all, value) => all + value, 0) / means.length;
        entries.push([`${prefix}${prefix ? "average" : "Average"}`, amount(mean, unit), name], [
          `${prefix}${prefix ? "range" : "Range"}`,
          `${amount(Math.min(...statistics.map((statistic) => statistic.minimumQuantity)), unit)}–${
            amount(Math.max(...statistics.map((statistic) => statistic.maximumQuantity)), unit)
          }`,
          name,
        ]);
        if (before && index === 0) entries.push(this.change(mean, this.meanOf(before, span), unit));
      }
    });
    return entries.length
      ? figures(entries)
      : empty("No data in this period", `The latest is of ${date(this.type.endDate)}.`);
  }

  daysWithData(statistics, span) {
    if (this.interval === "day") return statistics.length;
    const today = dateOf();
    const first = dateOf(new Date(this.type.startDate));
    const from = span.start > first ? span.start : first;
    const to = span.end > today ? addDays(today, 1) : span.end;
    return Math.max(1, daysBetween(from, to));
  }

  sumOf(data, span) {
    return parts(this.earlierSpan(span), this.interval).reduce(
      (sum, part) => sum + (data.at(part)?.sumQuantity ?? 0),
      0,
    );
  }

  meanOf(data, span) {
    const values = parts(this.earlierSpan(span), this.interval).map((part) => data.at(part)?.averageQuantity).filter(
      Number.isFinite,
    );
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  }

  change(now, then, unit) {
    const title = this.compare === "year" ? "Against a year before" : "Against the period before";
    if (!Number.isFinite(then) || then === 0) return [title, "–"];
    return [
      title,
      this.isSum ? signedPercent((now - then) / Math.abs(then)) : signed(scaled(now, unit) - scaled(then, unit), 1),
      this.isSum ? null : unitName(unit, this.identifier),
    ];
  }

  tableOf(list, rows, format) {
    const shown = (
      value,
    ) => (value === null || value === undefined
      ? "–"
      : Array.isArray(value)
      ? `${format(value[0])}–${format(value[1])}`
      : format(value));
    return html(
      "table.table",
      html("caption.sr", `${typeName(this.identifier)}, ${intervalNames[this.interval].toLowerCase()}`),
      html(
        "thead",
        html(
          "tr",
          html("th", { scope: "col" }, "Time"),
          rows.map(([name]) => html("th", { scope: "col" }, name)),
        ),
      ),
      html(
        "tbody",
        list.map((part, index) =>
          html(
            "tr",
            html("td", partTitle(part, this.interval)),
            rows.map(([, values]) => html("td", shown(values[index]))),
          )
        ),
      ),
    );
  }

  /** Where the type is going: the last seven days against the person's own four weeks before, and week against week. */
  async showTrend() {
    if (this.type.kind !== "quantity") return;
    const box = card("Last 7 days", { tone: this.tone, symbol: categories[this.tone].icon }, skeleton("title", "line"));
    this.details.append(box.element);
    try {
      const { unit, trend, week } = await api.read("trends", { type: this.identifier });
      if (this.signal.aborted) return;
      if (!trend || trend.recent.average === undefined) {
        box.show(empty("No data this week", `The latest is of ${date(this.type.endDate)}.`));
        return;
      }
      const name = unitName(unit, this.identifier);
      const usual = trend.baseline.average;
      const values = trend.values.map((day) => day.value ?? NaN);
      box.show(
        figures([
          ["Last 7 days", amount(trend.recent.average, unit), name, this.tone],
          [
            "Four weeks before",
            usual === undefined ? "–" : amount(usual, unit),
            usual === undefined ? null : name,
            "other",
          ],
          week?.relativeChange !== undefined && ["This week to last", signedPercent(week.relativeChange)],
        ]),
        html("p.small", { "data-trend": trend.direction }, trendText(trend)),
        sparkline(`${typeName(this.identifier)} in the last five weeks`, values, { height: 72 }),
      );
    } catch (error) {
      if (!this.signal.aborted && error.name !== "AbortError") box.show(failure(error));
    }
  }

  async showSources() {
    const isQuantity = this.type.kind === "quantity";
    const order = new SourceOrder(this.identifier, { changed: () => this.load(), color: false });
    const box = card("Sources", { tone: this.tone, symbol: "data", className: "sources" }, skeleton("line", "line"));
    this.details.prepend(box.element);
    try {
      const sources = await order.load();
      if (this.signal.aborted) return;
      const apart = html("button.button.small", {
        type: "button",
        "aria-pressed": "false",
        onclick: () => {
          this.bySource = !this.bySource;
          apart.setAttribute("aria-pressed", String(this.bySource));
          apart.textContent = this.bySource ? "Show merged" : "Compare sources";
          this.load();
        },
      }, "Compare sources");
      box.show(
        html(
          "p.muted.small",
          sources.length > 1
            ? "Where sources overlap, the one further up counts. Drag them, or use the arrows."
            : "All data of this type is from one source.",
        ),
        order.element,
        isQuantity && sources.length > 1 && html("div", apart),
      );
    } catch (error) {
      if (!this.signal.aborted) box.show(failure(error));
    }
  }
}

/** The direction that HealthInsights finds, in words. */
function trendText(trend) {
  const change = Math.abs(trend.relativeChange ?? 0);
  switch (trend.direction) {
    case "higher":
      return `${percent(change)} higher than in the four weeks before: more than it usually varies.`;
    case "lower":
      return `${percent(change)} lower than in the four weeks before: more than it usually varies.`;
    case "similar":
      return "Within what is usual for the four weeks before.";
    default:
      return "There are too few days to compare.";
  }
}

const signedPercent = (share) => (Math.abs(share) < 0.005 ? percent(0) : `${share > 0 ? "+" : ""}${percent(share)}`);

export async function render(context) {
  await new TypeScreen(context).start();
}
