// Statistics of a type as the data sets of a chart, with the figures above it.

import { html } from "../app/dom.js";
import { amountAndUnit, axisDurations, axisTexts, duration, number, quantity, rangeAndUnit } from "../app/format.js";
import { count, rangeText, scaled, signed, signedPercent, unitName } from "../app/format.js";
import { localized, plural } from "../app/language.js";
import { isRepeated, keyOf, partKey } from "../app/periods.js";
import { category, shortName, typeName, valueName } from "../app/types.js";
import { color } from "./charts.js";

const mostSources = 4;
/** The colors of series after the first one, which has that of its type. */
const seriesColors = ["accent", "nutrition", "body"];

const mostIn = {
  hour: localized("Most in an hour"),
  day: localized("Most in a day"),
  week: localized("Most in a week"),
  month: localized("Most in a month"),
  year: localized("Most in a year"),
};

/** The titles of figures of types that are drawn together. */
const memberTitles = {
  bloodPressureSystolic: [localized("Systolic average"), localized("Systolic range")],
  bloodPressureDiastolic: [localized("Diastolic average"), localized("Diastolic range")],
};

/** Finds the statistics of a part of a period. */
export function byPart(statistics, interval) {
  const found = new Map(statistics.map((one) => [keyOf(one.startDate, interval), one]));
  return (part) => found.get(partKey(part));
}

/** Quantities: sums, or averages with their range; for each source; beside those of another period. */
export class QuantitySeries {
  /**
   * `comparison` has the `name`, the `title` of its figure and the `list` of parts of the other period, if any;
   * `highest` is the address of all data with the highest value first, to which the range leads.
   */
  constructor(answers, list, interval, { isSum, isBySource, comparison, highest }) {
    Object.assign(this, { answers, list, interval, isSum, comparison, highest });
    [{ type: this.type, unit: this.unit }] = answers;
    this.tone = category(this.type);
    this.isEmpty = answers.every(({ statistics }) => statistics.length === 0);
    this.format = (value) => quantity(value, this.unit, this.type);
    this.formatRange = (range) => rangeText(range, this.unit, this.type);
    this.axis = (values) => axisTexts(values, this.unit, this.type);
    this.sets = isBySource ? this.sourceSets() : isSum ? [this.sumSet()] : answers.flatMap(this.rangeSets, this);
    if (comparison) this.sets.push(this.comparisonSet());
  }

  value(statistic) {
    return (this.isSum ? statistic?.sumQuantity : statistic?.averageQuantity) ?? null;
  }

  sumSet() {
    const at = byPart(this.answers[0].statistics, this.interval);
    const values = this.list.map((part) => this.value(at(part)));
    return { kind: "bars", name: typeName(this.type), tone: this.tone, color: () => color(this.tone), values };
  }

  sourceSets() {
    const { statistics } = this.answers[0];
    const at = byPart(statistics, this.interval);
    const sources = statistics.flatMap((statistic) => statistic.sources ?? []);
    const names = new Map(sources.map(({ bundleIdentifier, source }) => [bundleIdentifier, source]));
    return [...names].slice(0, mostSources).map(([bundle, name], index) => ({
      kind: this.isSum ? "bars" : "line",
      name,
      tone: index === 0 ? this.tone : `series-${index}`,
      color: () => color(index === 0 ? this.tone : seriesColors[index - 1]),
      values: this.list.map((part) => this.value(at(part)?.sources?.find((one) => one.bundleIdentifier === bundle))),
    }));
  }

  rangeSets({ type, statistics }, index) {
    const at = byPart(statistics, this.interval);
    const isAlone = this.answers.length === 1;
    const tone = index === 0 ? this.tone : "series-1";
    const colorName = index === 0 ? this.tone : seriesColors[0];
    const range = (statistic) =>
      statistic?.minimumQuantity === undefined ? null : [statistic.minimumQuantity, statistic.maximumQuantity];
    return [
      {
        kind: "range",
        name: isAlone ? localized("Range") : typeName(type),
        tone,
        color: () => color(colorName, 0.34),
        values: this.list.map((part) => range(at(part))),
      },
      {
        kind: this.list.length > 60 ? "line" : "points",
        name: isAlone ? localized("Average") : localized("{type}, average", { type: typeName(type) }),
        tone,
        color: () => color(colorName),
        values: this.list.map((part) => this.value(at(part))),
      },
    ];
  }

  comparisonSet() {
    const { name, list } = this.comparison;
    const at = byPart(this.answers[0].comparison.statistics, this.interval);
    // An hour that is there twice has no other to compare with.
    const others = list.filter((part) => !isRepeated(part));
    const places = this.list.filter((part) => !isRepeated(part)).map(partKey);
    const values = this.list.map((part) => {
      const other = others[places.indexOf(partKey(part))];
      return this.value(other && at(other));
    });
    return { kind: "line", dashed: true, name, tone: "other", color: () => color("ink-2"), values, order: -2 };
  }

  figures() {
    const known = this.answers.filter(({ statistics }) => statistics.length > 0);
    const entries = known.flatMap((answer) => (this.isSum ? this.sumFigures(answer) : this.rangeFigures(answer)));
    return this.comparison ? [...entries, this.changeFigure(this.answers[0].comparison)] : entries;
  }

  sumFigures({ statistics, summary: { total, average, daysWithData, wholeDays, highest } }) {
    const entry = (name, value) => [name, ...amountAndUnit(value, this.unit, this.type)];
    return [
      entry(localized("Total"), total),
      daysWithData > 1 && entry(averageName(daysWithData, wholeDays), average),
      statistics.length > 1 && highest && entry(mostIn[this.interval], highest.sumQuantity),
    ];
  }

  rangeFigures({ type, summary: { average, minimum, maximum } }) {
    const own = this.answers.length > 1 && memberTitles[shortName(type)];
    const titles = own || [localized("Average"), localized("Range")];
    const [range, unit] = rangeAndUnit([minimum, maximum], this.unit, this.type);
    const label = localized("{range}: all data, the highest first", { range });
    return [
      [titles[0], ...amountAndUnit(average, this.unit, this.type)],
      [titles[1], this.highest ? html("a", { href: this.highest, "aria-label": label }, range) : range, unit],
    ];
  }

  changeFigure({ change, relativeChange }) {
    const { title } = this.comparison;
    if (relativeChange === undefined) return [title, "–"];
    if (this.isSum) return [title, signedPercent(relativeChange)];
    return [title, signed(scaled(change, this.unit), 1), unitName(this.unit, this.type)];
  }
}

/** Today and other parts of days don't count in an average of sums. */
const averageName = (daysWithData, wholeDays) =>
  wholeDays > 0 && wholeDays < daysWithData
    ? count(wholeDays, "Average of {count} whole day", "Average of {count} whole days")
    : localized("Average a day");

const sleepTones = {
  inBed: "stage-bed",
  awake: "stage-awake",
  asleepREM: "stage-rem",
  asleepCore: "stage-core",
  asleepDeep: "stage-deep",
  asleepUnspecified: "stage-asleep",
};
const restingValues = new Set(["idle", "notPresent"]);
const valueColors = ["accent", "nutrition", "mobility", "respiratory", "body", "other"];

/** Values of a category: the time in each or, of values without a duration, how many there are. */
export class CategorySeries {
  constructor(type, { statistics, summary }, list, interval) {
    const at = byPart(statistics, interval);
    const values = summary?.values ?? [];
    this.type = type;
    this.isEmpty = values.length === 0;
    this.isCount = !(summary?.duration >= 60);
    this.format = this.isCount ? (value) => number(value) : (hours) => duration(hours * 3600);
    this.axis = this.isCount ? (all) => axisTexts(all, "count") : axisDurations;
    this.sets = values.map(({ value, valueName: name, ...total }, index) => {
      const [tone, colorName] = this.look(name, index);
      const amountOf = (one) => (this.isCount ? one?.count : one && one.duration / 3600) ?? null;
      return {
        kind: "bars",
        // A type of one value has no names.
        name: name ? valueName(name) : typeName(type),
        tone,
        color: () => color(colorName),
        values: list.map((part) => amountOf(at(part)?.values?.find((one) => one.value === value))),
        total,
      };
    });
  }

  /** The class and the color of a value. */
  look(name, index) {
    if (shortName(this.type) === "sleepAnalysis") {
      const tone = sleepTones[name];
      return tone ? [tone, tone] : ["tone-other", "other"];
    }
    // Hours without standing aren't what is counted.
    if (restingValues.has(name)) return ["tone-rest", "line-strong"];
    if (index === 0) return [category(this.type), category(this.type)];
    const colorName = valueColors[(index - 1) % valueColors.length];
    return [`tone-${colorName}`, colorName];
  }

  figures() {
    return this.sets.slice(0, 6).map(({ name, tone, total }) =>
      this.isCount
        ? [name, number(total.count), plural(total.count, "time", "times"), tone]
        : [name, duration(total.duration), null, tone]
    );
  }
}
