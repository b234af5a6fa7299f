// The forms of the journal except food: water, weight, blood pressure, symptoms, mood and workouts.

import * as api from "../app/api.js";
import { dateOf, instant, timeOf } from "../app/calendar.js";
import { html, icon } from "../app/dom.js";
import { inKilocalories } from "../app/foods.js";
import { amount, duration, number, numberText, unitName } from "../app/format.js";
import { localized } from "../app/language.js";
import { hasSeverity, shortName, symptoms, typeName, valenceName, valueName, words } from "../app/types.js";
import { field, numberInput, readNumber, reject, segmented, select } from "./controls.js";
import { openDialog } from "./dialogs.js";

/** How far the clock of this browser may be ahead of the server's. */
const clockTolerance = 60000;

/** What a form says: that it logs something new, or changes `entry`. */
export const submitLabel = (entry, label) => (entry ? localized("Save changes") : label);

/**
 * Fields for a date and a time, now or those of an entry at first. `read()` answers the instant, or nothing after
 * marking what is wrong.
 */
export function momentFields({ labels = [localized("Date"), localized("Time")], moment: given } = {}) {
  const now = given ? new Date(given) : new Date();
  const day = html("input", { type: "date", value: dateOf(now), max: dateOf() });
  const time = html("input", { type: "time", value: timeOf(now) });
  let isChanged = false;
  for (const input of [day, time]) {
    input.addEventListener("input", () => {
      isChanged = true;
    });
  }
  return {
    element: html("div.fields", field(labels[0], day), field(labels[1], time)),
    read() {
      if (!isChanged) return given ? now : new Date();
      if (!day.value || !time.value) return reject(day.value ? time : day, localized("Enter a date and a time."));
      const moment = instant(day.value, time.value);
      return moment - Date.now() > clockTolerance ? reject(time, localized("This is in the future.")) : moment;
    },
  };
}

/** The unit in which the person sees a type. */
export async function preferredUnit(type, fallback) {
  try {
    const { preferredUnits } = await api.read("preferred-units", { types: type });
    return Object.values(preferredUnits)[0] ?? fallback;
  } catch {
    return fallback;
  }
}

/** The last sample of a type; nothing if there is none. */
export async function lastSample(type, parameters = {}) {
  try {
    const { samples: [sample] } = await api.read("samples", { type, sort: "-startDate", limit: 1, ...parameters });
    return sample;
  } catch {
    return undefined;
  }
}

/** A quantity as the text of a field. */
export const fieldText = (value, digits = 1) => String(Math.round(value * 10 ** digits) / 10 ** digits);
/** An entry that is changed keeps what isn’t changed: a field has it as precisely as fields do. */
export const digitsOfEntry = 3;

/** The text of a field for a type: the amount of an entry, else the last one. */
async function offered(type, unit, entry, digits) {
  const sample = entry ? await inUnit(entry, unit) : await lastSample(type, { unit });
  return sample ? fieldText(sample.quantity, entry ? digitsOfEntry : digits) : "";
}

/** An entry with its quantity in a unit. */
export async function inUnit(entry, unit) {
  return entry.unit === unit ? entry : await api.request("GET", api.address(`samples/${entry.uuid}`, { unit }));
}

/** Opens a form for one quantity; `choices(input)` are proposals below the field. */
function logQuantity({ title, submit, type, unit, label, value = "", min, max, choices = () => null, entry }, log) {
  const input = numberInput({ value, min, max });
  input.setAttribute("data-autofocus", "");
  const moment = momentFields({ moment: entry?.startDate });
  openDialog(title, {
    submit: submitLabel(entry, submit),
    build: () => [field(label, input, { unit: unitName(unit) }), choices(input), moment.element],
    onsubmit: async () => {
      const quantity = readNumber(input);
      const start = moment.read();
      if (quantity === undefined || !start) return false;
      const text = localized("{what}, {amount}, logged.", {
        what: title,
        amount: `${amount(quantity, unit)} ${unitName(unit)}`,
      });
      await log([{ type, startDate: start.toISOString(), quantity, unit }], text);
      return true;
    },
  });
  input.select();
}

// Water and weight

/** What is proposed in each unit: a glass first. */
const vessels = [localized("Glass"), localized("Mug"), localized("Bottle"), localized("Large bottle")];
const waterAmounts = { mL: [250, 300, 500, 1000], L: [0.25, 0.3, 0.5, 1], fl_oz_us: [8, 10, 16, 32] };
const mostWater = { mL: 5000, L: 5, fl_oz_us: 170 };

export async function logWater(log, entry) {
  const preferred = await preferredUnit("dietaryWater", "mL");
  const unit = preferred in waterAmounts ? preferred : "mL";
  const chip = (input, name, quantity) => {
    const choose = () => {
      input.value = numberText(quantity);
    };
    return html(
      "button.chip",
      { type: "button", onclick: choose },
      `${name} · ${amount(quantity, unit)} ${unitName(unit)}`,
    );
  };
  const amounts = waterAmounts[unit];
  const value = await offered("dietaryWater", unit, entry, unit === "L" ? 2 : 0);
  logQuantity({
    entry,
    title: localized("Water"),
    submit: localized("Log water"),
    type: "dietaryWater",
    unit,
    label: localized("Amount"),
    value: value || String(amounts[0]),
    min: 0.01,
    max: mostWater[unit],
    choices: (input) => html("div.choices", vessels.map((name, index) => chip(input, name, amounts[index]))),
  }, log);
}

export async function logWeight(log, entry) {
  const unit = await preferredUnit("bodyMass", "kg");
  const value = await offered("bodyMass", unit, entry);
  const max = unit === "lb" ? 1500 : 700;
  const title = localized("Weight");
  const submit = localized("Log weight");
  logQuantity({ title, submit, type: "bodyMass", unit, label: title, value, min: 1, max, entry }, log);
}

// Blood pressure

export async function logPressure(log, entry) {
  const known = entry ?? await lastSample("bloodPressure");
  const value = (suffix) => {
    const member = known?.objects?.find(({ type }) => type.endsWith(suffix));
    return member ? fieldText(member.quantity, entry ? digitsOfEntry : 0) : "";
  };
  const high = numberInput({ value: value("Systolic"), min: 40, max: 300, placeholder: "120" });
  const low = numberInput({ value: value("Diastolic"), min: 20, max: 200, placeholder: "80" });
  const moment = momentFields({ moment: entry?.startDate });
  openDialog(localized("Blood Pressure"), {
    submit: submitLabel(entry, localized("Log blood pressure")),
    build: () => [
      html(
        "div.fields",
        field(localized("Systolic"), high, { unit: "mmHg" }),
        field(localized("Diastolic"), low, { unit: "mmHg" }),
      ),
      moment.element,
    ],
    onsubmit: async () => {
      const [systolic, diastolic] = [readNumber(high), readNumber(low)];
      const start = moment.read();
      if (systolic === undefined || diastolic === undefined || !start) return false;
      if (diastolic >= systolic) return reject(low, localized("The diastolic pressure is the lower one.")) ?? false;
      const text = localized("{what}, {amount}, logged.", {
        what: localized("Blood Pressure"),
        amount: `${number(systolic)}/${number(diastolic)} mmHg`,
      });
      await log([pressureSample(systolic, diastolic, start.toISOString())], text);
      return true;
    },
  });
  high.select();
}

function pressureSample(systolic, diastolic, startDate) {
  const objects = [
    { type: "bloodPressureSystolic", quantity: systolic, unit: "mmHg" },
    { type: "bloodPressureDiastolic", quantity: diastolic, unit: "mmHg" },
  ];
  return { type: "bloodPressure", startDate, objects };
}

// Symptoms

const severities = [
  ["notPresent", localized("None")],
  ["mild", localized("Mild")],
  ["moderate", localized("Moderate")],
  ["severe", localized("Severe")],
];

export async function logSymptom(log, entry) {
  const types = symptoms.filter(hasSeverity);
  const names = types.map((name) => [name, typeName(name)]).sort(([, a], [, b]) => a.localeCompare(b));
  const known = entry ?? await lastSample(types.join(","));
  const kind = select(names, types.find((name) => name === shortName(known?.type ?? "")) ?? "headache");
  const isListed = severities.some(([name]) => name === known?.valueName);
  // An entry of hk can have none.
  const choices = entry && !isListed ? [[entry.valueName, valueName(entry.valueName)], ...severities] : severities;
  let severity = entry || isListed ? known.valueName : "mild";
  const chooseSeverity = (value) => {
    severity = value;
  };
  const moment = momentFields({ moment: entry?.startDate });
  openDialog(localized("Symptom"), {
    submit: submitLabel(entry, localized("Log symptom")),
    build: () => [
      field(localized("Symptom"), kind),
      html(
        "div.field",
        html("span.label", { "aria-hidden": "true" }, localized("Severity")),
        segmented(localized("Severity"), choices, severity, chooseSeverity),
      ),
      moment.element,
    ],
    onsubmit: async () => {
      const start = moment.read();
      if (!start) return false;
      const sample = { type: kind.value, startDate: start.toISOString(), value: severity };
      await log([sample], localized("{what} logged.", { what: typeName(kind.value) }));
      return true;
    },
  });
}

// Mood

/** The raw values of HKStateOfMind.Kind. */
const moodKinds = [["1", localized("Right now")], ["2", localized("The whole day")]];

export function logMood(log, entry) {
  const value = entry?.fields?.valence ?? 0;
  const range = html("input", { type: "range", min: -1, max: 1, step: 0.05, "data-autofocus": true });
  range.value = String(value);
  const name = html("p.figure", { "aria-live": "polite" });
  const show = () => {
    name.textContent = valenceName(Number(range.value));
    range.setAttribute("aria-valuetext", name.textContent);
  };
  range.addEventListener("input", show);
  let kind = String(entry?.fields?.kind ?? "1");
  const chooseKind = (value) => {
    kind = value;
  };
  const moment = momentFields({ moment: entry?.startDate });
  openDialog(localized("Mood"), {
    submit: submitLabel(entry, localized("Log mood")),
    build: () => [
      segmented(localized("About"), moodKinds, kind, chooseKind),
      name,
      field(localized("How pleasant does it feel?"), range),
      html(
        "div.row.apart.muted.tiny",
        { "aria-hidden": "true" },
        html("span", localized("Very unpleasant")),
        html("span", localized("Very pleasant")),
      ),
      moment.element,
    ],
    onsubmit: async () => {
      const start = moment.read();
      if (!start) return false;
      const chosen = { kind: Number(kind), valence: Number(range.value) };
      const sample = {
        type: "stateOfMind",
        startDate: start.toISOString(),
        fields: { labels: [], associations: [], ...entry?.fields, ...chosen },
      };
      const values = { what: localized("Mood"), amount: name.textContent };
      await log([sample], localized("{what}, {amount}, logged.", values));
      return true;
    },
  });
  show();
}

// Workouts

export const activities = [
  "running",
  "walking",
  "cycling",
  "swimming",
  "hiking",
  "yoga",
  "traditionalStrengthTraining",
  "functionalStrengthTraining",
  "highIntensityIntervalTraining",
  "rowing",
  "elliptical",
  "pilates",
  "soccer",
  "tennis",
  "basketball",
  "climbing",
  "cardioDance",
  "coreTraining",
  "downhillSkiing",
  "other",
].map((name) => [name, words(name)]);

export async function logWorkout(log, entry) {
  const preferred = await preferredUnit("distanceWalkingRunning", "km");
  const distanceUnit = ["km", "mi", "m"].includes(preferred) ? preferred : "km";
  const known = entry ?? await lastSample("workout");
  const activity = known?.workoutActivityTypeName;
  const isListed = activities.some(([name]) => name === activity);
  // An entry of hk can have another one.
  const choices = entry && !isListed ? [[activity, words(activity)], ...activities] : activities;
  const kind = select(choices, entry || isListed ? activity : "running");
  const length = known ? fieldText(Math.min(Math.max(known.duration / 60, 1), 1440), entry ? digitsOfEntry : 0) : "30";
  // Energy and distance of another workout aren't proposed.
  const { totalEnergyBurned, totalDistance } = entry ?? {};
  const minutes = numberInput({ value: length, min: 1, max: 1440 });
  const energy = numberInput({
    value: totalEnergyBurned ? fieldText(inKilocalories(totalEnergyBurned), digitsOfEntry) : "",
    min: 0,
    max: 10000,
    required: false,
  });
  const distance = numberInput({
    value: totalDistance ? fieldText(inDistanceUnit(totalDistance, distanceUnit), digitsOfEntry) : "",
    min: 0,
    max: 1000,
    required: false,
  });
  const labels = [localized("Ended on"), localized("Ended at")];
  const moment = momentFields({ labels, moment: entry?.endDate });
  openDialog(localized("Workout"), {
    submit: submitLabel(entry, localized("Log workout")),
    build: () => [
      field(localized("Activity"), kind),
      html(
        "div.fields",
        field(localized("Duration"), minutes, { unit: unitName("min") }),
        field(localized("Active energy"), energy, { unit: "kcal" }),
        field(localized("Distance"), distance, { unit: distanceUnit }),
      ),
      moment.element,
      html("p.muted.small", icon("workout", "inline"), localized("Energy and distance may be left empty.")),
    ],
    onsubmit: async () => {
      const values = [minutes, energy, distance].map(readNumber);
      const end = moment.read();
      if (values.includes(undefined) || !end) return false;
      const filled = { what: words(kind.value), amount: duration(values[0] * 60) };
      const text = localized("{what}, {amount}, logged.", filled);
      await log([workoutSample(kind.value, end, values, distanceUnit)], text);
      return true;
    },
  });
}

const metersOf = { m: 1, km: 1000, mi: 1609.344 };
const inDistanceUnit = ({ quantity, unit }, wanted) => (quantity * (metersOf[unit] ?? 1)) / metersOf[wanted];

function workoutSample(workoutActivityType, end, [minutes, energy, distance], distanceUnit) {
  return {
    type: "workout",
    workoutActivityType,
    startDate: new Date(end.getTime() - minutes * 60000).toISOString(),
    endDate: end.toISOString(),
    ...(energy && { totalEnergyBurned: { quantity: energy, unit: "kcal" } }),
    ...(distance && { totalDistance: { quantity: distance, unit: distanceUnit } }),
  };
}
