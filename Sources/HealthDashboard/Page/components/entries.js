// What is logged: the forms of its kinds, how it reads in a list, and how it is saved, changed and deleted.

import * as api from "../app/api.js";
import { addDays, dateOf, noon } from "../app/calendar.js";
import { html, icon } from "../app/dom.js";
import { date, duration, number, quantity, unitName } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import { hasSeverity, loggedTypes, shortName, symptoms, typeBadge, typeName } from "../app/types.js";
import { valenceName, valueName, words, workoutIcon } from "../app/types.js";
import { openDialog, toast } from "./dialogs.js";
import { logFood } from "./log-food.js";
import { logMood, logPressure, logSymptom, logWater, logWeight, logWorkout } from "./log-forms.js";
import { logMedication } from "./log-medication.js";
import { logPeriod } from "./log-period.js";
import { formOfType } from "./log-types.js";
import { doseTexts, isDose, readMedications } from "./medications.js";

/** What can be logged: its key, name, icon, tone, types and form. */
export const kinds = [
  ["food", localized("Food"), "food", "nutrition", ["food"], logFood],
  ["water", localized("Water"), "drop", "water", ["dietaryWater"], logWater],
  ["weight", localized("Weight"), "scale", "body", ["bodyMass"], logWeight],
  ["pressure", localized("Blood Pressure"), "pressure", "vitals", ["bloodPressure"], logPressure],
  ["symptom", localized("Symptom"), "symptom", "symptoms", symptoms, logSymptom],
  ["mood", localized("Mood"), "mood", "mindfulness", ["stateOfMind"], logMood],
  ["workout", localized("Workout"), "workout", "activity", ["workout"], logWorkout],
];

/** What else has a form of its own, by its type. */
const others = {
  menstrualFlow: (_, entry) => logPeriod(replace, isOwn, entry),
  medicationDoseEvent: logMedication,
};

/** What can be logged by its name: the kinds, and all that an app may write. */
export const loggable = [
  ...kinds.filter(([key]) => key !== "symptom").map(([, name, , , [type]]) => [type, name]),
  ["menstrualFlow", localized("Menstrual period")],
  ["medicationDoseEvent", localized("Medication")],
  ...loggedTypes.map((type) => [type, typeName(type)]),
];

/** What this page and hk write with, as the person's own hand. Everything else came from an app or a device. */
export const ownBundles = ["org.openhealthkit.server", "org.openhealthkit.hk"];

/** Whether a sample is the person's own entry. */
export const isOwn = ({ bundleIdentifier }) => ownBundles.includes(bundleIdentifier);

/** The form that logs a type. A symptom of a name has none to choose the symptom. */
export const formOfName = (name) =>
  (symptoms.includes(name) ? undefined : formOfKind(name)) ?? others[name] ?? formOfType(name);

const formOfKind = (name) => kinds.find(([, , , , types]) => types.includes(name))?.at(-1);

/** The form that changes a sample, if it is the person's own and has one. */
export function formOf(sample) {
  const name = shortName(sample.type);
  if (!api.session.isOwner || !isOwn(sample)) return undefined;
  // The form of symptoms is for those with a severity.
  return symptoms.includes(name) && hasSeverity(name) ? formOfKind(name) : formOfName(name);
}

/** Opens the form that changes a sample. */
export const edit = (sample) => formOf(sample)((samples, text) => replace([sample], samples, text), sample);

/** Logs the same as an entry again, now. */
export function repeat(sample) {
  const { startDate, endDate, objects, ...rest } = copy(sample);
  const length = Date.parse(endDate) - Date.parse(startDate);
  const now = Date.now();
  const dates = { startDate: new Date(now - length).toISOString(), endDate: new Date(now).toISOString() };
  const members = objects?.map(({ startDate: _, endDate: __, ...member }) => member);
  const [what, amount] = describe(sample);
  const again = { ...rest, ...dates, metadata: metadataOf([sample]), ...(members && { objects: members }) };
  return log([again], localized("{what}, {amount}, logged.", { what, amount }));
}

// Saving

/** Saves samples and offers to take them back. */
export const log = (samples, text) => replace([], samples, text);

/** Saves samples in place of others, which HealthKit can't change, and offers to restore those. */
export async function replace(before, samples, text) {
  const kept = metadataOf(before);
  const identified = api.identified(samples.map((one) => ({ ...one, metadata: { ...kept, ...one.metadata } })));
  if (samples.length > 0) await saveChecked(identified);
  if (before.length > 0) await api.remove(api.identities(before));
  live.notify(new Set());
  const undo = async () => {
    try {
      if (before.length > 0) await api.save(api.identified(before.map(copy)), { allowImplausible: true });
      if (samples.length > 0) await api.remove(api.identities(identified));
      toast(localized("Undone."));
    } catch (error) {
      toast(api.reason(error));
    }
    live.notify(new Set());
  };
  toast(text, { action: localized("Undo"), onaction: undo });
}

/** Saves samples; asks before the server is to take a value that is most likely a slip. */
async function saveChecked(samples) {
  try {
    await api.save(samples);
  } catch (error) {
    if (error.code !== "implausibleValue") throw error;
    const problem = implausibility(samples, error);
    if (!await isRight(problem)) throw new Error(problem);
    await api.save(samples, { allowImplausible: true });
  }
}

/** What the server finds implausible, in words. */
function implausibility(samples, { detail }) {
  const [, type, least, greatest, unit] = /(\w+) is from (\S+) to (\S+) (\S+)\./.exec(detail) ?? [];
  if (!type) return localized("A value is not plausible.");
  const range = `${number(Number(least), 1)}–${number(Number(greatest), 1)} ${unitName(unit, type)}`.trim();
  return localized("This can’t be right: {name} is from {range}.", { name: typeName(type), range });
}

/** Asks whether an implausible value is right. */
function isRight(problem) {
  return new Promise((resolve) => {
    const { dialog } = openDialog(localized("Is this value right?"), {
      build: () => [
        html("p", problem),
        html("p.muted.small", localized("Check the number and the unit. Totals and charts would have it.")),
      ],
      submit: localized("Log it anyway"),
      danger: true,
      onsubmit: () => resolve(true),
    });
    dialog.addEventListener("close", () => resolve(false));
  });
}

/** What is kept of an entry when it changes, except what says that it is the same one. */
const metadataOf = ([entry]) =>
  Object.fromEntries(Object.entries(entry?.metadata ?? {}).filter(([name]) => !/Sync(Identifier|Version)$/.test(name)));

/** A stored sample as a new one. */
export function copy({ type, startDate, endDate, quantity: amount, unit, value, objects, metadata, fields, ...rest }) {
  const { workoutActivityType, totalEnergyBurned, totalDistance } = rest;
  const all = {
    type,
    startDate,
    endDate,
    quantity: amount,
    unit,
    value,
    metadata,
    fields,
    workoutActivityType,
    totalEnergyBurned,
    totalDistance,
    objects: objects?.map(copy),
  };
  return Object.fromEntries(Object.entries(all).filter(([, member]) => member !== undefined));
}

/** Asks before a sample is deleted, and says what follows. */
export function askToDelete(sample, question = localized("Delete this entry?")) {
  const [title, value] = describe(sample);
  const values = { title, value, moment: date(sample.startDate, "moment") };
  openDialog(question, {
    build: () => [
      html("p", localized("{title}, {value}, of {moment} is deleted from the store.", values)),
      !isOwn(sample) && html("p.muted.small", returns(sample.source)),
    ],
    submit: localized("Delete"),
    danger: true,
    onsubmit: async () => {
      await api.remove(api.identities([sample]));
      toast(localized("Deleted."));
      live.notify(new Set());
    },
  });
}

/** What a deletion doesn't reach. */
export const returns = (source) =>
  localized(
    "It stays where it comes from, {source}: a file or a sync that has it brings it back when it is read anew.",
    { source },
  );

// Reading

export function dayName(day) {
  const today = dateOf();
  if (day === today) return localized("Today");
  return day === addDays(today, -1) ? localized("Yesterday") : date(noon(day), "day");
}

export function badge({ type, workoutActivityTypeName: activity }) {
  if (activity) return html("span.badge.activity", icon(workoutIcon(activity)));
  return shortName(type) === "dietaryWater" ? html("span.badge.water", icon("drop")) : typeBadge(type);
}

/** Reads what `describe` doesn't find in the samples: the names of medications. */
export const prepareDescriptions = (samples) => samples.some(isDose) ? readMedications() : undefined;

/** The title and the value of a sample. */
export function describe(sample) {
  const member = (suffix) => sample.objects?.find(({ type }) => type.endsWith(suffix));
  switch (shortName(sample.type)) {
    case "food": {
      const energy = member("EnergyConsumed");
      return [sample.metadata?.HKFoodType ?? localized("Food"), energy ? quantity(energy.quantity, energy.unit) : ""];
    }
    case "bloodPressure": {
      const [systolic, diastolic] = ["Systolic", "Diastolic"].map((name) => Math.round(member(name)?.quantity));
      return [localized("Blood Pressure"), `${systolic}/${diastolic} mmHg`];
    }
    case "workout": {
      const distance = sample.totalDistance;
      const extent = distance ? quantity(distance.quantity, distance.unit) : duration(sample.duration);
      return [words(sample.workoutActivityTypeName), extent];
    }
    case "stateOfMind":
      return [localized("Mood"), valenceName(sample.fields?.valence ?? 0)];
    case "medicationDoseEvent":
      return doseTexts(sample);
    default:
      return [typeName(sample.type), valueText(sample)];
  }
}

/** The quantity or the value of a sample; how long it lasted if that is all it says. */
function valueText({ type, quantity: value, unit, valueName: name, startDate, endDate }) {
  if (value !== undefined) return quantity(value, unit, type);
  const seconds = (Date.parse(endDate) - Date.parse(startDate)) / 1000;
  const length = seconds > 0 ? duration(seconds) : "";
  if (name === undefined) return length;
  if (name === "notApplicable") return length || localized("Logged");
  return shortName(type) === "sleepAnalysis" && length ? `${valueName(name)} · ${length}` : valueName(name);
}
