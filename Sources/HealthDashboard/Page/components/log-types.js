// The forms of any type that an app may write: a quantity in a unit of the person, or a value, with its time.

import { html } from "../app/dom.js";
import { amount, duration, scaled, unitName } from "../app/format.js";
import { localized } from "../app/language.js";
import { category, loggedAs, typeName, valueName } from "../app/types.js";
import { field, numberInput, readNumber, reject, segmented, select } from "./controls.js";
import { openDialog } from "./dialogs.js";
import { digitsOfEntry, fieldText, inUnit, lastSample, momentFields, preferredUnit, submitLabel } from "./log-forms.js";

const glucose = "mmol<180.1558800000541>/L";
/** Units of one kind that people write; the person's own is the first one offered. */
const unitsOfKinds = [
  ["g", "mg", "mcg"],
  ["kg", "lb", "st"],
  ["cm", "m", "in", "ft"],
  ["km", "mi", "m"],
  ["km/hr", "mi/hr", "m/s"],
  ["mL", "L", "fl_oz_us"],
  ["degC", "degF"],
  ["kcal", "kJ"],
  ["mg/dL", glucose],
];
/** Food labels have these in grams, and the other nutrients in milligrams. */
const inGrams = /Carbohydrates|Fat|Fiber|Protein|Sugar/;

/** What else is asked of a type: the metadata key, its name and its values. */
const questions = {
  insulinDelivery: [
    "HKInsulinDeliveryReason",
    localized("Reason"),
    [["1", localized("Basal")], ["2", localized("Bolus")]],
  ],
  bloodGlucose: [
    "HKBloodGlucoseMealTime",
    localized("Meal"),
    [["", "–"], ["1", localized("Before a meal")], ["2", localized("After a meal")]],
  ],
};

/** The form of a type, by its name in HealthKit; nothing if apps can't write it. */
export function formOfType(name) {
  const { unit, values } = loggedAs(name);
  if (name === "sleepAnalysis") return logSleep;
  if (unit) return (log, entry) => logQuantityOf(name, log, entry);
  return values && ((log, entry) => logValueOf(name, log, entry));
}

// Quantities

async function logQuantityOf(name, log, entry) {
  const { unit: canonical, isSum } = loggedAs(name);
  const preferred = await preferredUnit(name, canonical);
  const usual = preferred === "g" && category(name) === "nutrition" && !inGrams.test(name) ? "mg" : preferred;
  // A unit of molar mass is written with its mass, more or less precisely.
  const isSame = (one) => one === usual || unitName(one) === unitName(usual);
  const units = [usual, ...(unitsOfKinds.find((kind) => kind.some(isSame)) ?? []).filter((one) => !isSame(one))];
  const sample = entry ? await inUnit(entry, usual) : await lastSample(name, { unit: usual });
  const digits = entry ? digitsOfEntry : 2;
  const value = sample ? fieldText(scaled(sample.quantity, usual), digits) : "";
  const input = numberInput({ value, min: -1e6, max: 1e9 });
  input.setAttribute("data-autofocus", "");
  const unit = select(units.map((one) => [one, unitName(one, name) || localized("count")]), usual);
  const start = momentFields({ moment: entry?.startDate });
  const length = isSum ? lengthField(entry) : null;
  const question = questionOf(name, entry);
  const title = typeName(name);
  openDialog(title, {
    submit: submitLabel(entry, localized("Log")),
    build: () => [
      units.length > 1
        ? html("div.fields", field(localized("Amount"), input), field(localized("Unit"), unit))
        : field(localized("Amount"), input, { unit: unitName(usual, name) }),
      question?.element,
      start.element,
      length?.element,
    ],
    onsubmit: async () => {
      const shown = readNumber(input);
      const moment = start.read();
      const minutes = length?.read();
      if (shown === undefined || !moment || (length && minutes === undefined)) return false;
      const quantity = unit.value === "%" ? shown / 100 : shown;
      const made = { type: name, quantity, unit: unit.value, ...span(moment, minutes), ...question?.read() };
      const text = `${amount(quantity, unit.value, name)} ${unitName(unit.value, name)}`.trim();
      await log([made], localized("{what}, {amount}, logged.", { what: title, amount: text }));
      return true;
    },
  });
  input.select();
}

/** A field for how long something took, which may be left empty. */
function lengthField(entry) {
  const minutes = entry ? (Date.parse(entry.endDate) - Date.parse(entry.startDate)) / 60000 : 0;
  const value = minutes > 0 ? fieldText(minutes, digitsOfEntry) : "";
  const input = numberInput({ value, min: 0, max: 1440, required: false });
  const hint = localized("How long it took, up to that time. May be left empty.");
  const element = field(localized("Duration"), input, { unit: unitName("min"), hint });
  return { element, read: () => readNumber(input) };
}

/** The dates of what ended at a moment and took some minutes. */
const span = (end, minutes) => ({
  startDate: new Date(end.getTime() - (minutes ?? 0) * 60000).toISOString(),
  endDate: end.toISOString(),
});

/** A choice whose answer is metadata. */
function questionOf(name, entry) {
  if (!questions[name]) return null;
  const [key, label, values] = questions[name];
  const control = select(values, String(entry?.metadata?.[key] ?? values[0][0]));
  return {
    element: field(label, control),
    read: () => control.value && { metadata: { [key]: Number(control.value) } },
  };
}

// Values

async function logValueOf(name, log, entry) {
  const { values } = loggedAs(name);
  const known = entry ?? await lastSample(name);
  let value = values.includes(known?.valueName) ? known.valueName : values.includes("mild") ? "mild" : values[0];
  const choose = (chosen) => {
    value = chosen;
  };
  const hasLength = values.length === 1;
  const moment = momentFields({ moment: entry?.endDate });
  const length = hasLength ? lengthField(entry) : null;
  const options = values.map((one) => [one, valueName(one)]);
  const title = typeName(name);
  openDialog(title, {
    submit: submitLabel(entry, localized("Log")),
    build: () => [
      !hasLength && field(localized("Value"), select(options, value, choose)),
      moment.element,
      length?.element,
    ],
    onsubmit: async () => {
      const end = moment.read();
      const minutes = length?.read();
      if (!end || (length && minutes === undefined)) return false;
      await log([{ type: name, value, ...span(end, minutes) }], localized("{what} logged.", { what: title }));
      return true;
    },
  });
}

/** What a person knows of a night without a device; an entry of a stage keeps it. */
const sleepValues = ["asleepUnspecified", "inBed", "awake"];
const usualNight = 8 * 3600000;

async function logSleep(log, entry) {
  const end = new Date(entry?.endDate ?? Date.now());
  const begin = new Date(entry?.startDate ?? end.getTime() - usualNight);
  const values = entry && !sleepValues.includes(entry.valueName) ? [entry.valueName, ...sleepValues] : sleepValues;
  let value = entry?.valueName ?? values[0];
  const choose = (chosen) => {
    value = chosen;
  };
  const from = momentFields({ labels: [localized("From, date"), localized("From, time")], moment: begin });
  const to = momentFields({ labels: [localized("To, date"), localized("To, time")], moment: end });
  openDialog(localized("Sleep"), {
    submit: submitLabel(entry, localized("Log")),
    build: () => [
      segmented(localized("Value"), values.map((one) => [one, valueName(one)]), value, choose),
      from.element,
      to.element,
    ],
    onsubmit: async () => {
      const [startDate, endDate] = [from.read(), to.read()];
      if (!startDate || !endDate) return false;
      const seconds = (endDate - startDate) / 1000;
      const time = to.element.querySelector("[type=time]");
      if (seconds <= 0) return reject(time, localized("Sleep ends after it begins.")) ?? false;
      if (seconds > 86400) return reject(time, localized("This is longer than a day.")) ?? false;
      const made = { type: "sleepAnalysis", value, startDate: startDate.toISOString(), endDate: endDate.toISOString() };
      const text = localized("{what}, {amount}, logged.", { what: localized("Sleep"), amount: duration(seconds) });
      await log([made], text);
      return true;
    },
  });
}
