// The forms of the journal except food: water, weight, blood pressure, symptoms, mood and workouts.

import * as api from "../app/api.js";
import { dateOf, instant, timeOf } from "../app/calendar.js";
import { html, icon } from "../app/dom.js";
import { amount, number, unitName } from "../app/format.js";
import { typeName } from "../app/types.js";
import { field, numberInput, readNumber, reject, segmented, select } from "../components/controls.js";
import { openDialog } from "../components/dialogs.js";

/** Fields for a date and a time, now at first. `read()` answers the instant, or nothing after marking what is wrong. */
export function momentFields(labels = ["Date", "Time"]) {
  const now = new Date();
  const day = html("input", { type: "date", value: dateOf(now), max: dateOf(now) });
  const time = html("input", { type: "time", value: timeOf(now) });
  let changed = false;
  for (const input of [day, time]) {
    input.addEventListener("input", () => {
      changed = true;
    });
  }
  return {
    element: html("div.fields", field(labels[0], day), field(labels[1], time)),
    read() {
      if (!changed) return new Date();
      if (!day.value || !time.value) return reject(day.value ? time : day, "Enter a date and a time.");
      const moment = instant(day.value, time.value);
      return moment > new Date(Date.now() + 60000) ? reject(time, "This is in the future.") : moment;
    },
  };
}

async function preferred(type, fallback) {
  try {
    const answer = await api.read("preferred-units", { types: type });
    return Object.values(answer.preferredUnits)[0] ?? fallback;
  } catch {
    return fallback;
  }
}

async function latest(type, unit) {
  try {
    return (await api.read("samples", { type, sort: "-startDate", limit: 1, unit })).samples[0];
  } catch {
    return undefined;
  }
}

/** A form of one number with a unit. */
function logQuantity({ title, type, unit, label, value = "", min, max, log, extra = [] }) {
  const input = numberInput({ value, min, max });
  input.setAttribute("data-autofocus", "");
  const moment = momentFields();
  openDialog(title, {
    submit: `Log ${title.toLowerCase()}`,
    build: () => [field(label, input, { unit: unitName(unit) }), extra.map((make) => make(input)), moment.element],
    onsubmit: async () => {
      const entered = readNumber(input);
      const when = moment.read();
      if (entered === undefined || !when) return false;
      await log(
        [{ type, startDate: when.toISOString(), quantity: entered, unit }],
        `${title}, ${amount(entered, unit)} ${unitName(unit)}, logged.`,
      );
      return true;
    },
  });
  input.select();
}

export async function logWater(log) {
  const unit = await preferred("dietaryWater", "mL");
  const factor = { mL: 1, L: 0.001, "fl_oz_us": 0.033814 }[unit];
  const used = factor ? unit : "mL";
  const presets = [["Glass", 200], ["Mug", 300], ["Bottle", 500], ["Large bottle", 1000]];
  const scale = factor ?? 1;
  logQuantity({
    title: "Water",
    type: "dietaryWater",
    unit: used,
    label: "Amount",
    value: String(Math.round(250 * scale * 100) / 100),
    min: 0.01,
    max: 5000 * scale,
    log,
    extra: [(input) =>
      html(
        "div.choices",
        presets.map(([name, millilitres]) =>
          html("button.chip", {
            type: "button",
            onclick: () => {
              input.value = String(Math.round(millilitres * scale * 100) / 100);
            },
          }, `${name} · ${amount(millilitres * scale, used)} ${unitName(used)}`)
        ),
      )],
  });
}

export async function logWeight(log) {
  const unit = await preferred("bodyMass", "kg");
  const last = await latest("bodyMass", unit);
  logQuantity({
    title: "Weight",
    type: "bodyMass",
    unit,
    label: "Weight",
    value: last ? String(Math.round(last.quantity * 10) / 10) : "",
    min: 1,
    max: unit === "lb" ? 1500 : 700,
    log,
  });
}

export function logPressure(log) {
  const [high, low] = [
    numberInput({ min: 40, max: 300, placeholder: "120" }),
    numberInput({ min: 20, max: 200, placeholder: "80" }),
  ];
  const moment = momentFields();
  openDialog("Blood pressure", {
    submit: "Log blood pressure",
    build: () => [
      html("div.fields", field("Systolic", high, { unit: "mmHg" }), field("Diastolic", low, { unit: "mmHg" })),
      moment.element,
    ],
    onsubmit: async () => {
      const [systolic, diastolic] = [readNumber(high), readNumber(low)];
      const when = moment.read();
      if (systolic === undefined || diastolic === undefined || !when) return false;
      if (diastolic >= systolic) return reject(low, "The diastolic pressure is the lower one.") ?? false;
      await log([{
        type: "bloodPressure",
        startDate: when.toISOString(),
        objects: [
          { type: "bloodPressureSystolic", quantity: systolic, unit: "mmHg" },
          { type: "bloodPressureDiastolic", quantity: diastolic, unit: "mmHg" },
        ],
      }], `Blood pressure, ${number(systolic)}/${number(diastolic)} mmHg, logged.`);
      return true;
    },
  });
}

/** Symptoms with a severity, by their names in HealthKit. */
export const symptoms = [
  ["headache", "Headache"],
  ["fatigue", "Fatigue"],
  ["abdominalCramps", "Abdominal Cramps"],
  ["acne", "Acne"],
  ["bloating", "Bloating"],
  ["chestTightnessOrPain", "Chest Tightness"],
  ["chills", "Chills"],
  ["coughing", "Coughing"],
  ["diarrhea", "Diarrhea"],
  ["dizziness", "Dizziness"],
  ["fever", "Fever"],
  ["generalizedBodyAche", "Body Ache"],
  ["heartburn", "Heartburn"],
  ["lowerBackPain", "Lower Back Pain"],
  ["nausea", "Nausea"],
  ["runnyNose", "Runny Nose"],
  ["shortnessOfBreath", "Shortness of Breath"],
  ["sinusCongestion", "Sinus Congestion"],
  ["soreThroat", "Sore Throat"],
  ["vomiting", "Vomiting"],
];

export function logSymptom(log) {
  const kind = select(symptoms.map(([name, text]) => [name, text]), "headache");
  let severity = "mild";
  const moment = momentFields();
  openDialog("Symptom", {
    submit: "Log symptom",
    build: () => [
      field("Symptom", kind),
      html(
        "div.field",
        html("span.label", { "aria-hidden": "true" }, "Severity"),
        segmented(
          "Severity",
          [["notPresent", "None"], ["mild", "Mild"], ["moderate", "Moderate"], ["severe", "Severe"]],
          severity,
          (value) => {
            severity = value;
          },
        ),
      ),
      moment.element,
    ],
    onsubmit: async () => {
      const when = moment.read();
      if (!when) return false;
      await log(
        [{ type: kind.value, startDate: when.toISOString(), value: severity }],
        `${typeName(kind.value)} logged.`,
      );
      return true;
    },
  });
}

export function logMood(log) {
  const range = html("input", { type: "range", min: -100, max: 100, step: 5, value: 0, "data-autofocus": true });
  const word = html("p.figure", { "aria-live": "polite" });
  const show = () => {
    const value = Number(range.value);
    const text = value > 60
      ? "Very pleasant"
      : value > 20
      ? "Pleasant"
      : value >= -20
      ? "Neutral"
      : value >= -60
      ? "Unpleasant"
      : "Very unpleasant";
    word.textContent = text;
    range.setAttribute("aria-valuetext", text);
  };
  range.addEventListener("input", show);
  let kind = "1";
  openDialog("Mood", {
    submit: "Log mood",
    build: () => [
      segmented("About", [["1", "Right now"], ["2", "The whole day"]], kind, (value) => {
        kind = value;
      }),
      word,
      field("How pleasant does it feel?", range),
      html(
        "div.row.apart.muted.tiny",
        { "aria-hidden": "true" },
        html("span", "Very unpleasant"),
        html("span", "Very pleasant"),
      ),
    ],
    onsubmit: async () => {
      await log([{
        type: "stateOfMind",
        startDate: new Date().toISOString(),
        fields: { kind: Number(kind), valence: Number(range.value) / 100, labels: [], associations: [] },
      }], `Mood, ${word.textContent.toLowerCase()}, logged.`);
      return true;
    },
  });
  show();
}

const activities = [
  ["running", "Running"],
  ["walking", "Walking"],
  ["cycling", "Cycling"],
  ["swimming", "Swimming"],
  ["hiking", "Hiking"],
  ["yoga", "Yoga"],
  ["traditionalStrengthTraining", "Strength Training"],
  ["functionalStrengthTraining", "Functional Strength"],
  ["highIntensityIntervalTraining", "Interval Training"],
  ["rowing", "Rowing"],
  ["elliptical", "Elliptical"],
  ["pilates", "Pilates"],
  ["soccer", "Soccer"],
  ["tennis", "Tennis"],
  ["basketball", "Basketball"],
  ["climbing", "Climbing"],
  ["cardioDance", "Dance"],
  ["coreTraining", "Core Training"],
  ["downhillSkiing", "Skiing"],
  ["other", "Other"],
];

export async function logWorkout(log) {
  const unit = await preferred("distanceWalkingRunning", "km");
  const distanceUnit = ["km", "mi", "m"].includes(unit) ? unit : "km";
  const kind = select(activities, "running");
  const minutes = numberInput({ value: "30", min: 1, max: 1440 });
  const energy = numberInput({ min: 0, max: 10000, required: false });
  const distance = numberInput({ min: 0, max: 1000, required: false });
  const moment = momentFields(["Ended on", "Ended at"]);
  openDialog("Workout", {
    submit: "Log workout",
    build: () => [
      field("Activity", kind),
      html(
        "div.fields",
        field("Duration", minutes, { unit: "min" }),
        field("Active energy", energy, { unit: "kcal" }),
        field("Distance", distance, { unit: distanceUnit }),
      ),
      moment.element,
      html("p.muted.small", icon("workout", "inline"), "Energy and distance may be left empty."),
    ],
    onsubmit: async () => {
      const values = [minutes, energy, distance].map(readNumber);
      const end = moment.read();
      if (values.includes(undefined) || !end) return false;
      const [length, burned, covered] = values;
      const sample = {
        type: "workout",
        workoutActivityType: kind.value,
        startDate: new Date(end.getTime() - length * 60000).toISOString(),
        endDate: end.toISOString(),
      };
      if (burned) sample.totalEnergyBurned = { quantity: burned, unit: "kcal" };
      if (covered) sample.totalDistance = { quantity: covered, unit: distanceUnit };
      await log([sample], `${activities.find(([name]) => name === kind.value)[1]}, ${number(length)} min, logged.`);
      return true;
    },
  });
}
