// A report of a period to print or to save as PDF, as for a doctor: the person chooses what is in it.

import * as api from "../app/api.js";
import { addDays, dateOf, daysBetween, instant, noon } from "../app/calendar.js";
import { html, icon, put } from "../app/dom.js";
import { amount, amountAndUnit, date, dateRange, duration, number, percent } from "../app/format.js";
import { rangeAndUnit, unitName } from "../app/format.js";
import { localized } from "../app/language.js";
import { category, isCumulative, isReported, shortName, typeName } from "../app/types.js";
import { attempt, backLink, empty, figures, head, skeleton } from "../components/cards.js";
import { accept, field, reject } from "../components/controls.js";
import { sparkline } from "../components/plots.js";
import { table } from "../components/value-table.js";
import { classification } from "../records/electrocardiograms.js";

const usualDays = 90;
const mostDays = 366;
/** What a doctor asks for first, as far as there is data. */
const proposed = [
  "bloodPressure",
  "bodyMass",
  "restingHeartRate",
  "sleepAnalysis",
  "electrocardiogram",
  "stepCount",
  "bloodGlucose",
  "oxygenSaturation",
];
const mostRows = 200;
const pressures = ["bloodPressureSystolic", "bloodPressureDiastolic"];

/** Parts that aren't a table of days. */
const sections = { bloodPressure: pressureSection, sleepAnalysis: sleepSection, electrocardiogram: ecgSection };

export async function render({ main, signal }) {
  const today = dateOf();
  const start = html("input", { type: "date", value: addDays(today, 1 - usualDays), max: today, required: true });
  const end = html("input", { type: "date", value: today, max: today, required: true });
  const choices = html("div.choices", { role: "group", "aria-label": localized("Types") }, skeleton("line", "line"));
  const paper = html("section.card.report", { "aria-label": localized("Report"), "aria-live": "polite" });
  const print = html(
    "button.button.primary",
    { type: "button", onclick: () => globalThis.print() },
    icon("print"),
    localized("Print or save as PDF"),
  );
  put(
    main,
    head(localized("Report"), { eyebrow: backLink("trends", localized("Trends")), actions: [print] }),
    html(
      "div.stack",
      html(
        "section.card.chosen",
        { "aria-label": localized("What is in the report") },
        html("div.pair", field(localized("From"), start), field(localized("To"), end)),
        choices,
      ),
      paper,
    ),
  );
  const { types } = await api.read("types");
  if (signal.aborted) return;
  const known = types.filter(isReported).sort((one, other) => rank(one) - rank(other) || compareNames(one, other));
  const boxes = known.map((type) => ({ type, input: checkbox(rank(type) < proposed.length) }));
  put(choices, boxes.map(({ type, input }) => html("label.choice", input, ` ${typeName(type.type)}`)));
  let run = null;
  const show = async ({ target } = {}) => {
    // The focus stays on the day that is being typed, and either day can end a mistake.
    const changed = target === start ? start : end;
    [start, end].forEach(accept);
    if (!start.value || !end.value) return;
    if (start.value > end.value) {
      reject(changed, localized("The last day is before the first."));
      return;
    }
    if (daysBetween(start.value, end.value) >= mostDays) {
      reject(changed, localized("Choose at most a year."));
      return;
    }
    const own = Symbol("report");
    run = own;
    const chosen = boxes.filter(({ input }) => input.checked).map(({ type }) => type);
    const span = { start: start.value, end: addDays(end.value, 1) };
    await attempt([{ show: (...parts) => put(paper, ...parts) }], signal, async () => {
      const content = await report(chosen, span);
      if (!signal.aborted && run === own) put(paper, content);
    });
  };
  for (const input of [start, end, ...boxes.map((box) => box.input)]) input.addEventListener("change", show);
  await show();
}

function rank({ type }) {
  const index = proposed.indexOf(shortName(type));
  return index < 0 ? proposed.length : index;
}

const compareNames = (one, other) => typeName(one.type).localeCompare(typeName(other.type));
const checkbox = (checked) => html("input", { type: "checkbox", checked });

async function report(types, span) {
  if (types.length === 0) return empty(localized("Choose what is in the report"));
  const parts = await Promise.all(types.map((type) => (sections[shortName(type.type)] ?? quantitySection)(type, span)));
  const { name } = api.session.people.find(({ person }) => person === api.session.person) ?? {};
  const days = dateRange(noon(span.start), noon(addDays(span.end, -1)));
  return [
    html("h2.report-title", localized("Health report of {days}", { days })),
    html(
      "p.muted.small",
      [name !== "me" && name, localized("Made on {day}", { day: date(noon(dateOf())) })].filter(Boolean).join(" · "),
    ),
    parts,
    html("p.muted.small", localized("Averages are those of all samples of the period; sums are of whole days.")),
  ];
}

/** The parameters of a question about the period. */
const range = ({ start, end }) => ({ start: instant(start), end: instant(end) });

const section = (type, ...content) =>
  html("section.part", { class: category(type), "data-part": type }, html("h3", typeName(type)), ...content);

const nothing = () => html("p.muted", localized("No data in this period"));

const statistics = (type, span, interval) =>
  api.read("statistics", {
    type: type.type ?? type,
    ...range(span),
    interval,
    options: type.aggregationStyle === "cumulative" ? "sum" : "average,min,max",
    summary: true,
  });

// Quantities

async function quantitySection(type, span) {
  const { summary, statistics: days, unit } = await statistics(type, span, "day");
  if (!summary?.daysWithData) return section(type.type, nothing());
  const values = new Map(days.map((day) => [dateOf(new Date(day.startDate)), day]));
  const count = daysBetween(span.start, span.end);
  const line = Array.from({ length: count }, (_, index) => {
    const day = values.get(addDays(span.start, index));
    return day?.sumQuantity ?? day?.averageQuantity;
  });
  const entry = (name, value) => [name, ...amountAndUnit(value, unit, type.type)];
  return section(
    type.type,
    figures([
      entry(isCumulative(type) ? localized("Average of a day") : localized("Average"), summary.average),
      entry(isCumulative(type) ? localized("Lowest day") : localized("Lowest"), summary.minimum),
      entry(isCumulative(type) ? localized("Highest day") : localized("Highest"), summary.maximum),
      [localized("Days with data"), number(summary.daysWithData)],
    ]),
    sparkline(localized("{name} by day", { name: typeName(type.type) }), line, 64),
  );
}

// Blood pressure

async function pressureSection(type, span) {
  const [systolic, diastolic, { samples }] = await Promise.all([
    ...pressures.map((name) => statistics(`HKQuantityTypeIdentifier${name[0].toUpperCase()}${name.slice(1)}`, span)),
    api.read("samples", { type: type.type, ...range(span), sort: "-startDate", limit: mostRows }),
  ]);
  if (samples.length === 0) return section(type.type, nothing());
  const { unit } = systolic;
  const pair = (one, other) => `${amount(one, unit)}/${amount(other, unit)}`;
  const between = ({ minimum, maximum }) => rangeAndUnit([minimum, maximum], unit);
  const of = (sample, name) => sample.objects.find((one) => shortName(one.type) === name)?.quantity;
  const [high, low] = [systolic.summary, diastolic.summary];
  return section(
    type.type,
    figures([
      [localized("Average"), pair(high.average, low.average), unitName(unit)],
      [localized("Systolic"), ...between(high)],
      [localized("Diastolic"), ...between(low)],
      [localized("Days with data"), number(high.daysWithData)],
    ]),
    table(
      typeName(type.type),
      [localized("Time"), localized("Systolic/diastolic")],
      samples.map((sample) => [
        date(sample.startDate, "moment"),
        `${pair(...pressures.map((name) => of(sample, name)))} ${unitName(unit)}`,
      ]),
    ),
    samples.length === mostRows && lastRows(),
  );
}

const lastRows = () => html("p.muted.small", localized("These are the last {count}.", { count: mostRows }));

// Sleep

async function sleepSection(type, span) {
  const { averages, nights } = await api.read("sleep", { ...range(span), segments: false });
  if (nights.length === 0) return section(type.type, nothing());
  return section(
    type.type,
    figures([
      [localized("Asleep on average"), duration(averages.timeAsleep)],
      [localized("In bed on average"), duration(averages.timeInBed)],
      averages.efficiency !== undefined && [localized("Asleep of the time in bed"), percent(averages.efficiency)],
      [localized("Nights"), number(nights.length)],
    ]),
    sparkline(localized("Hours asleep by night"), nights.map(({ main }) => main?.timeAsleep), 64),
  );
}

// Electrocardiograms

async function ecgSection(type, span) {
  const { electrocardiograms: all } = await api.read("electrocardiograms", {
    ...range(span),
    sort: "-startDate",
    limit: mostRows,
  });
  if (all.length === 0) return section(type.type, nothing());
  const rate = ({ averageHeartRate: found }) =>
    found === undefined ? "–" : `${number(found.quantity ?? found)} ${unitName("count/min")}`;
  return section(
    type.type,
    table(
      typeName(type.type),
      [localized("Time"), localized("Classification"), localized("Heart rate")],
      all.map((one) => [date(one.startDate, "moment"), classification(one), rate(one)]),
    ),
    all.length === mostRows && lastRows(),
  );
}
