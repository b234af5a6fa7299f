// Names, categories and colors of HealthKit's types, and which of them the page proposes first.

import { html, icon } from "./dom.js";
import { categories, types } from "./GENERATED-types.js";
import { localized, localizedName } from "./language.js";

export { categories };

const kinds = ["Quantity", "Category", "Correlation", "Characteristic", "Document", "ScoredAssessment", "Clinical"];
const kindPrefixes = [...kinds.map((kind) => `${kind}TypeIdentifier`), "DataTypeIdentifier", "DataType"];
const prefix = new RegExp(`^HK(${kindPrefixes.join("|")})?`);

/** stepCount for HKQuantityTypeIdentifierStepCount. */
export function shortName(identifier) {
  const name = identifier.replace(prefix, "").replace(/(TypeIdentifier|Identifier)$/, "");
  return name.replace(/^([A-Z]+(?=[A-Z][a-z])|[A-Z]+)/, (capitals) => capitals.toLowerCase());
}

/** The name people read: Walking Speed for HKQuantityTypeIdentifierWalkingSpeed. */
export function typeName(identifier) {
  const name = shortName(identifier);
  return localizedName(name, types[name]?.name ?? spaced(name));
}

/** The category of a type, which gives its color and icon. */
export const category = (identifier) => types[shortName(identifier)]?.category ?? "other";

/** Symptoms, by their names in HealthKit. */
export const symptoms = Object.keys(types).filter((name) => types[name].category === "symptoms");

/** Whether the values of a symptom are severities. */
export const hasSeverity = (name) => types[name].values?.includes("severe") === true;

/** What an app may write of a type: the `unit` of its quantities or the `values` of its categories; else neither. */
export const loggedAs = (name) => types[name] ?? {};

/** The names of the types that an app may write, except those that only devices notice. */
export const loggedTypes = Object.keys(types).filter((name) => types[name].unit || types[name].values);

/** Whether values of a type are added up rather than averaged. */
export const isCumulative = (type) => type.aggregationStyle === "cumulative";

/** Whether a type can be drawn over another one. */
export const isComparable = ({ kind, aggregationStyle }) => kind === "quantity" && aggregationStyle !== undefined;

const partsOfReport = new Set(["bloodPressure", "sleepAnalysis", "electrocardiogram"]);
const pressures = new Set(["bloodPressureSystolic", "bloodPressureDiastolic"]);

/** Whether a type can be in the report. Pairs of blood pressure have their own part. */
export function isReported(type) {
  const name = shortName(type.type);
  return partsOfReport.has(name) || (isComparable(type) && !pressures.has(name));
}

/** The members of a correlation among some types: its values are of no use without them. */
export function membersOf(identifier, identifiers) {
  const name = shortName(identifier);
  if (name === "bloodPressure") return identifiers.filter((one) => pressures.has(shortName(one)));
  return name === "food" ? identifiers.filter((one) => category(one) === "nutrition") : [];
}

/** A colored icon in a rounded square. */
export function typeBadge(identifier) {
  const name = category(identifier);
  return html("span.badge", { class: name }, icon(categories[name].icon));
}

/** Types people look at most, first. */
export const favorites = [
  "stepCount",
  "heartRate",
  "restingHeartRate",
  "bodyMass",
  "activeEnergyBurned",
  "distanceWalkingRunning",
  "heartRateVariabilitySDNN",
  "oxygenSaturation",
  "vo2Max",
  "dietaryEnergyConsumed",
  "flightsClimbed",
  "respiratoryRate",
];

/** Types whose screen isn't the one of their name. */
const ownScreens = {
  workout: "workouts",
  workoutType: "workouts",
  sleepAnalysis: "sleep",
  activitySummary: "rings",
};

/** The address of the screen of a type: whatever the store holds has one. */
export function typeAddress(identifier) {
  return `#/trends/${ownScreens[shortName(identifier)] ?? `type/${encodeURIComponent(identifier)}`}`;
}

/** Words for the values of category types: asleepDeep is Deep. */
const valueNames = {
  inBed: "In Bed",
  asleepUnspecified: "Asleep",
  asleep: "Asleep",
  awake: "Awake",
  asleepCore: "Core",
  asleepDeep: "Deep",
  asleepREM: "REM",
  stood: "Stood",
  idle: "Idle",
  notPresent: "Not present",
  mild: "Mild",
  moderate: "Moderate",
  severe: "Severe",
  present: "Present",
  unspecified: "Unspecified",
};
export const valueName = (name) => localizedName(name, valueNames[name] ?? spaced(name));

const valenceNames = [
  localized("Very unpleasant"),
  localized("Unpleasant"),
  localized("Slightly unpleasant"),
  localized("Neutral"),
  localized("Slightly pleasant"),
  localized("Pleasant"),
  localized("Very pleasant"),
];

/** A valence of a state of mind, from −1 to 1, in words: seven classes of equal width, as in HealthKit. */
export const valenceName = (valence) =>
  valenceNames[Math.min(6, Math.max(0, Math.floor(((valence + 1) / 2) * 7)))];

/** The name of a kind of workout: Traditional Strength Training for traditionalStrengthTraining. */
export const words = (name = "") => localizedName(name, spaced(name));

function spaced(name = "") {
  return name.replace(/([a-z\d])([A-Z])/g, "$1 $2").replace(/^./, (letter) => letter.toUpperCase());
}

/** The icon of a kind of workout. */
export function workoutIcon(name = "") {
  if (/running|track/i.test(name)) return "run";
  if (/cycling|bik/i.test(name)) return "bike";
  if (/swim|water|paddle|row|surf|sail/i.test(name)) return "swim";
  if (/walk|hik|stair/i.test(name)) return "walk";
  if (/yoga|mind|pilates|tai|cooldown|flex/i.test(name)) return "mind";
  return "workout";
}
