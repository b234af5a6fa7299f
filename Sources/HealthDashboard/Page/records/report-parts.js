// The parts of the report: what a doctor reads of each topic, on a page each.

import * as api from "../app/api.js";
import { addDays, dateOf, daysBetween, instant, noon } from "../app/calendar.js";
import { html } from "../app/dom.js";
import { amount, amountAndUnit, date, dateRange, duration, number, percent } from "../app/format.js";
import { axisDurations, rangeAndUnit, timeOfDay, unitName } from "../app/format.js";
import { firstWeekday, localized } from "../app/language.js";
import { category, isCumulative, shortName, typeName } from "../app/types.js";
import { figures } from "../components/cards.js";
import { dayChart, dayProfile, shareBar } from "../components/report-charts.js";
import { table } from "../components/value-table.js";
import { classification, reportedRecording } from "./electrocardiograms.js";

/** Rows of a table by week; a longer time is by month. */
const mostWeeks = 27;
const mostPairs = 45;
const mostRecordings = 200;
const mostStrips = 4;
const secondsOfDay = 86400;

/** Parts that are of a topic of their own. */
const parts = {
  bloodPressure: pressurePart,
  bloodGlucose: glucosePart,
  sleepAnalysis: sleepPart,
  electrocardiogram: electrocardiogramPart,
};

/** What a link permits: without what SQL answers, which are medians, tables and profiles. */
const partsOfGuests = {
  bloodPressure: pressureOfGuest,
  sleepAnalysis: sleepPart,
  electrocardiogram: electrocardiogramPart,
};
const ask = (statement) => api.session.linkExpires ? [] : api.query(statement);

/** The part of a type in a span of days. */
export async function reportPart(type, span) {
  const own = (api.session.linkExpires ? partsOfGuests : parts)[shortName(type.type)];
  const content = await (own ?? quantityPart)(type, span);
  return html(
    "section.part",
    { class: category(type.type), "data-part": type.type },
    html("h3", typeName(type.type)),
    content ?? html("p.muted", localized("No data in this period")),
  );
}

const range = ({ start, end }) => ({ start: instant(start), end: instant(end) });
const seconds = (day) => instant(day).getTime() / 1000;
const text = (value) => `'${value.replaceAll("'", "''")}'`;
/** Where in SQL: samples of a type in the span, by their start. */
const samplesOf = (type, { start, end }) =>
  `type = ${text(shortName(type.type))} AND start_time >= ${seconds(start)} AND start_time < ${seconds(end)}`;

/** By what a table is: the name of the column, how SQL computes the row of a date, and how rows are named. */
function rowsBy({ start, end }) {
  if (daysBetween(start, end) > mostWeeks * 7) {
    const of = (time) => `month(${time})`;
    return { title: localized("Month"), of, name: (month) => date(noon(`${month}-01`), "month") };
  }
  const last = addDays(end, -1);
  const within = (day) => (day < start ? start : day > last ? last : day);
  const name = (week) => dateRange(noon(within(week)), noon(within(addDays(week, 6))), "short");
  // From the last day of the week, of which SQLite counts a Sunday as 0, back to the first.
  const of = (time) => `date(day(${time}), 'weekday ${(firstWeekday + 6) % 7}', '-6 days')`;
  return { title: localized("Week"), of, name };
}

// Quantities

async function quantityPart(type, span) {
  const isSum = isCumulative(type);
  const { title, of, name } = rowsBy(span);
  const within = `type = ${text(shortName(type.type))} AND day >= '${span.start}' AND day < '${span.end}'`;
  const value = isSum ? "sum" : "average";
  const figuresOf = `count(*) AS days, median(${value}) AS median, min(${isSum ? value : "minimum"}) AS lowest,
    max(${isSum ? value : "maximum"}) AS highest`;
  const [{ summary, unit, statistics: days }, rows, [whole]] = await Promise.all([
    api.read("statistics", {
      type: type.type,
      ...range(span),
      interval: "day",
      options: isSum ? "sum" : "average,min,max",
      summary: true,
    }),
    ask(`SELECT ${of("start_time")} AS part, ${figuresOf} FROM daily WHERE ${within} GROUP BY part ORDER BY part`),
    ask(`SELECT median(${value}) AS median, percentile(${value}, 25) AS p25, percentile(${value}, 75) AS p75,
      unit FROM daily WHERE ${within}`),
  ]);
  if (!summary?.daysWithData || days.length === 0) return null;
  const entry = (label, one) => [label, ...amountAndUnit(one, unit, type.type)];
  const shown = (one) => amountAndUnit(one, whole.unit, type.type).filter(Boolean).join(" ");
  const points = days.map((one) => ({
    day: daysBetween(span.start, dateOf(new Date(one.startDate))) + (isSum ? 0 : 0.5),
    value: one.sumQuantity ?? one.averageQuantity,
    low: one.minimumQuantity,
    high: one.maximumQuantity,
  }));
  const caption = isSum
    ? localized("{name} by day", { name: typeName(type.type) })
    : localized("{name}: average and range of each day", { name: typeName(type.type) });
  return [
    figures([
      entry(isSum ? localized("Average of a day") : localized("Average"), summary.average),
      entry(isSum ? localized("Lowest day") : localized("Lowest"), summary.minimum),
      entry(isSum ? localized("Highest day") : localized("Highest"), summary.maximum),
      whole && [localized("Median of days"), ...amountAndUnit(whole.median, whole.unit, type.type)],
      whole && [localized("Half of the days"), ...rangeAndUnit([whole.p25, whole.p75], whole.unit, type.type)],
      [localized("Days with data"), number(summary.daysWithData)],
    ]),
    html("p.caption", caption),
    dayChart(caption, span, points, { unit, type: type.type, isSum, isLine: !isSum }),
    rows.length > 0 && table(
      typeName(type.type),
      [title, localized("Days"), localized("Median"), localized("Lowest"), localized("Highest")],
      rows.map((row) => [name(row.part), number(row.days), ...[row.median, row.lowest, row.highest].map(shown)]),
    ),
  ];
}

// Blood pressure

/** When measurements are those of a morning and of an evening, as hours. */
const [morning, evening] = [[4, 12], [17, 24]];

async function pressurePart(type, span) {
  const within = `start_time >= ${seconds(span.start)} AND start_time < ${seconds(span.end)}
    AND systolic IS NOT NULL AND diastolic IS NOT NULL`;
  const at = ([from, to]) => `FILTER (WHERE hour(start_time) >= ${from} AND hour(start_time) < ${to})`;
  const means = `count(*) AS readings, avg(systolic) AS systolic, avg(diastolic) AS diastolic,
    count(*) ${at(morning)} AS mornings, avg(systolic) ${at(morning)} AS m_systolic,
    avg(diastolic) ${at(morning)} AS m_diastolic, count(*) ${at(evening)} AS evenings,
    avg(systolic) ${at(evening)} AS e_systolic, avg(diastolic) ${at(evening)} AS e_diastolic`;
  const { title, of, name } = rowsBy(span);
  const [[whole], rows, pairs] = await Promise.all([
    ask(`SELECT ${means}, median(systolic) AS middle, median(diastolic) AS d_middle, min(systolic) AS lowest,
      max(systolic) AS highest, min(diastolic) AS d_lowest, max(diastolic) AS d_highest, unit
      FROM blood_pressure WHERE ${within}`),
    ask(`SELECT ${of("start_time")} AS part, ${means} FROM blood_pressure WHERE ${within}
      GROUP BY part ORDER BY part`),
    ask(`SELECT start_time AS time, systolic, diastolic FROM blood_pressure WHERE ${within}
      ORDER BY start_time`),
  ]);
  if (!whole?.readings) return null;
  const { unit } = whole;
  const pair = pairText(unit);
  const withCount = (one, other, readings) => readings > 0 ? `${pair(one, other)} (${number(readings)})` : "–";
  const row = (label, one) => [
    label,
    withCount(one.m_systolic, one.m_diastolic, one.mornings),
    withCount(one.e_systolic, one.e_diastolic, one.evenings),
    withCount(one.systolic, one.diastolic, one.readings),
  ];
  const shownUnit = unitName(unit);
  return [
    figures([
      [localized("Average"), pair(whole.systolic, whole.diastolic), shownUnit],
      [localized("Median"), pair(whole.middle, whole.d_middle), shownUnit],
      [localized("Systolic"), ...rangeAndUnit([whole.lowest, whole.highest], unit)],
      [localized("Diastolic"), ...rangeAndUnit([whole.d_lowest, whole.d_highest], unit)],
      [localized("Measurements"), number(whole.readings)],
    ]),
    pressureChart(pairs, span, unit),
    table(
      localized("Average blood pressure, with the number of measurements"),
      [
        title,
        localized("Morning ({hours})", { hours: hours(morning) }),
        localized("Evening ({hours})", { hours: hours(evening) }),
        localized("All"),
      ],
      [row(html("b", localized("Whole period")), whole), ...rows.map((one) => row(name(one.part), one))],
    ),
    readings(pairs, unit),
  ];
}

const pairText = (unit) => (one, other) =>
  Number.isFinite(one) ? `${amount(one, unit)}/${amount(other, unit)}` : "–";

function pressureChart(pairs, span, unit) {
  const caption = localized("Each line is a measurement, from diastolic to systolic");
  const start = seconds(span.start);
  const points = pairs.map(({ time, systolic, diastolic }) => ({
    day: (time - start) / secondsOfDay,
    low: diastolic,
    high: systolic,
  }));
  return [html("p.caption", caption), dayChart(caption, span, points, { unit })];
}

function readings(pairs, unit) {
  const latest = pairs.slice(-mostPairs).reverse();
  return [
    html("p.caption", localized("The last {count} measurements", { count: number(latest.length) })),
    html(
      "ul.readings",
      latest.map(({ time, systolic, diastolic }) =>
        html("li", `${date(time * 1000, "moment")} `, html("b", pairText(unit)(systolic, diastolic)))
      ),
    ),
  ];
}

async function pressureOfGuest(type, span) {
  const { samples } = await api.read("samples", { type: type.type, ...range(span), limit: 1000 });
  const pairs = samples.map(({ startDate, objects = [] }) => {
    const of = (name) => objects.find((one) => shortName(one.type) === name);
    const [upper, lower] = [of("bloodPressureSystolic"), of("bloodPressureDiastolic")];
    return { time: Date.parse(startDate) / 1000, systolic: upper?.quantity, diastolic: lower?.quantity };
  }).filter(({ systolic, diastolic }) => Number.isFinite(systolic) && Number.isFinite(diastolic));
  return pairs.length > 0 ? [pressureChart(pairs, span, "mmHg"), readings(pairs, "mmHg")] : null;
}

const hours = ([from, to]) => [from, to].map((hour) => timeOfDay(hour * 3600)).join("–");

// Glucose

/** The consensus on time in range: the target, and what is very low and very high, in mg/dL. */
const target = [70, 180];
/** Readings a day of a sensor, of which 70% make a profile, at least for 14 days. */
const readingsOfSensor = 96;
const below = (share) => localized("less than {share}", { share: percent(share) });
const ranges = [
  { name: "> 250", shade: "very-high", goal: below(0.05) },
  { name: "181–250", shade: "high", goal: localized("less than {share} with those above", { share: percent(0.25) }) },
  { name: "70–180", shade: "in-range", goal: localized("more than {share}", { share: percent(0.7) }) },
  { name: "54–69", shade: "low", goal: localized("less than {share} with those below", { share: percent(0.04) }) },
  { name: "< 54", shade: "very-low", goal: below(0.01) },
];

async function glucosePart(type, span) {
  const within = samplesOf(type, span);
  const level = "convert(value, unit, 'mg/dL')";
  const { title, of, name } = rowsBy(span);
  const inRange = `avg(${level} BETWEEN ${target[0]} AND ${target[1]})`;
  const [[whole], profile, rows] = await Promise.all([
    ask(`SELECT count(*) AS readings, count(DISTINCT day) AS days, avg(value) AS mean, median(value) AS median,
      min(value) AS lowest, max(value) AS highest, unit, convert(${target[0]}, 'mg/dL', unit) AS low,
      convert(${target[1]}, 'mg/dL', unit) AS high, 3.31 + 0.02392 * avg(${level}) AS gmi,
      sqrt(max(0, avg(value * value) - avg(value) * avg(value))) / avg(value) AS cv,
      avg(${level} > 250) AS very_high, avg(${level} > 180 AND ${level} <= 250) AS over, ${inRange} AS in_range,
      avg(${level} >= 54 AND ${level} < 70) AS under, avg(${level} < 54) AS very_low
      FROM samples WHERE ${within}`),
    ask(`SELECT hour(start_time) AS hour, percentile(value, 5) AS p5, percentile(value, 25) AS p25,
      median(value) AS median, percentile(value, 75) AS p75, percentile(value, 95) AS p95
      FROM samples WHERE ${within} GROUP BY 1 ORDER BY 1`),
    ask(`SELECT ${of("start_time")} AS part, count(*) AS readings, avg(value) AS mean, median(value) AS median,
      min(value) AS lowest, max(value) AS highest, ${inRange} AS in_range
      FROM samples WHERE ${within} GROUP BY part ORDER BY part`),
  ]);
  if (!whole?.readings) return null;
  const { unit } = whole;
  const entry = (label, one) => [label, amount(one, unit, type.type), unitName(unit)];
  const shares = [whole.very_high, whole.over, whole.in_range, whole.under, whole.very_low]
    .map((one, index) => ({ ...ranges[index], share: one }));
  const caption = localized("Ambulatory glucose profile: median, 25–75% and 5–95% of the readings by time of day");
  const isSensor = whole.days >= 14 && whole.readings >= whole.days * readingsOfSensor * 0.7;
  const shown = (one) => amount(one, unit, type.type);
  return [
    figures([
      entry(localized("Average"), whole.mean),
      entry(localized("Median"), whole.median),
      [localized("Range"), ...rangeAndUnit([whole.lowest, whole.highest], unit, type.type)],
      [localized("Variation (CV)"), percent(whole.cv)],
      isSensor && [localized("GMI (estimated HbA1c)"), `${number(whole.gmi, 1)}%`],
      [localized("Readings"), number(whole.readings)],
      [localized("Days with data"), number(whole.days)],
    ]),
    html("p.caption", caption),
    dayProfile(caption, profile, { unit, type: type.type, limits: [whole.low, whole.high] }),
    html("p.caption", localized("Time in range: shares of the readings")),
    shareBar(localized("Time in range: shares of the readings"), [...shares].reverse()),
    table(
      localized("Time in range: shares of the readings"),
      ["mg/dL", localized("Share of readings"), localized("Target")],
      shares.map(({ name: bounds, share: one, goal }) => [bounds, percent(one), goal]),
    ),
    table(
      typeName(type.type),
      [title, localized("Readings"), localized("Average"), localized("Median"), localized("Range"),
        localized("In range")],
      rows.map((row) => [
        name(row.part),
        number(row.readings),
        shown(row.mean),
        shown(row.median),
        rangeAndUnit([row.lowest, row.highest], unit, type.type)[0],
        percent(row.in_range),
      ]),
    ),
    !isSensor && html(
      "p.muted.small",
      localized("A profile needs a sensor’s readings of 14 days. These are fewer: shares of readings, not of time."),
    ),
  ];
}

// Sleep

async function sleepPart(type, span) {
  const { title, of, name } = rowsBy(span);
  const within = `day >= '${span.start}' AND day < '${span.end}' AND asleep IS NOT NULL AND asleep > 0`;
  const [{ averages, nights }, [whole], rows] = await Promise.all([
    api.read("sleep", { ...range(span), segments: false }),
    ask(`SELECT count(*) AS nights, median(asleep) AS median, min(asleep) AS lowest, max(asleep) AS highest
      FROM nights WHERE ${within}`),
    ask(`SELECT ${of("day")} AS part, count(*) AS nights, median(asleep) AS median, min(asleep) AS lowest,
      max(asleep) AS highest, median(in_bed) AS in_bed FROM nights WHERE ${within} GROUP BY part ORDER BY part`),
  ]);
  if (nights.length === 0) return null;
  const caption = localized("Hours asleep by night");
  const points = nights.filter(({ main }) => main?.timeAsleep > 0).map(({ date: day, main }) => ({
    day: daysBetween(span.start, day),
    value: main.timeAsleep / 3600,
  }));
  return [
    figures([
      [localized("Asleep on average"), duration(averages.timeAsleep)],
      whole?.nights > 0 && [localized("Median"), duration(whole.median)],
      whole?.nights > 0 && [localized("Range"), `${duration(whole.lowest)} – ${duration(whole.highest)}`],
      [localized("In bed on average"), duration(averages.timeInBed)],
      averages.efficiency !== undefined && [localized("Asleep of the time in bed"), percent(averages.efficiency)],
      averages.startTime !== undefined
      && [localized("Usual times"), `${timeOfDay(averages.startTime)}–${timeOfDay(averages.endTime)}`],
      [localized("Nights"), number(whole?.nights ?? nights.length)],
    ]),
    points.length > 0
      ? [html("p.caption", caption), dayChart(caption, span, points, { axis: axisDurations, isSum: true })]
      : html("p.muted", localized("Only the time in bed was recorded.")),
    rows.length > 0 && table(
      typeName(type.type),
      [title, localized("Nights"), localized("Median"), localized("Shortest"), localized("Longest"),
        localized("In bed, median")],
      rows.map((row) => [
        name(row.part),
        number(row.nights),
        ...[row.median, row.lowest, row.highest, row.in_bed].map(duration),
      ]),
    ),
  ];
}

// Electrocardiograms

async function electrocardiogramPart(type, span) {
  const { electrocardiograms: all } = await api.read("electrocardiograms", {
    ...range(span),
    sort: "-startDate",
    limit: mostRecordings,
  });
  if (all.length === 0) return null;
  const rate = ({ averageHeartRate: found }) =>
    found === undefined ? "–" : `${number(found.quantity ?? found)} ${unitName("count/min")}`;
  // What a doctor looks at first, and then the latest.
  const isFibrillation = ({ classificationName }) => classificationName === "atrialFibrillation";
  const drawn = [...all.filter(isFibrillation), ...all.filter((one) => !isFibrillation(one))].slice(0, mostStrips);
  const strips = await Promise.all(drawn.map(reportedRecording));
  return [
    table(
      typeName(type.type),
      [localized("Time"), localized("Classification"), localized("Heart rate")],
      all.map((one) => [date(one.startDate, "moment"), classification(one), rate(one)]),
    ),
    all.length === mostRecordings
    && html("p.muted.small", localized("These are the last {count}.", { count: mostRecordings })),
    strips,
  ];
}
