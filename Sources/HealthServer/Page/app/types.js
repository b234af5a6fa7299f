// Names, categories and colors of HealthKit's types, and which of them the page proposes first.

import { html, icon } from "./dom.js";
import { localized, localizedName } from "./language.js";

const kinds = ["Quantity", "Category", "Correlation", "Characteristic", "Document", "ScoredAssessment", "Clinical"];
const kindPrefixes = [...kinds.map((kind) => `${kind}TypeIdentifier`), "DataTypeIdentifier", "DataType"];
const prefix = new RegExp(`^HK(${kindPrefixes.join("|")})?`);

/** stepCount for HKQuantityTypeIdentifierStepCount. */
export function shortName(identifier) {
  const name = identifier.replace(prefix, "").replace(/(TypeIdentifier|Identifier)$/, "");
  return name.replace(/^([A-Z]+(?=[A-Z][a-z])|[A-Z]+)/, (capitals) => capitals.toLowerCase());
}

const names = {
  stepCount: "Steps",
  activeEnergyBurned: "Active Energy",
  basalEnergyBurned: "Resting Energy",
  appleExerciseTime: "Exercise Minutes",
  appleStandTime: "Stand Minutes",
  appleStandHour: "Stand Hours",
  appleMoveTime: "Move Minutes",
  distanceWalkingRunning: "Walking + Running Distance",
  distanceCycling: "Cycling Distance",
  distanceSwimming: "Swimming Distance",
  flightsClimbed: "Flights Climbed",
  heartRate: "Heart Rate",
  restingHeartRate: "Resting Heart Rate",
  walkingHeartRateAverage: "Walking Heart Rate",
  heartRateVariabilitySDNN: "Heart Rate Variability",
  heartRateRecoveryOneMinute: "Cardio Recovery",
  vo2Max: "Cardio Fitness",
  bodyMass: "Weight",
  height: "Height",
  bodyMassIndex: "Body Mass Index",
  bodyFatPercentage: "Body Fat",
  leanBodyMass: "Lean Body Mass",
  dietaryEnergyConsumed: "Dietary Energy",
  dietaryWater: "Water",
  oxygenSaturation: "Blood Oxygen",
  respiratoryRate: "Respiratory Rate",
  bodyTemperature: "Body Temperature",
  bloodPressureSystolic: "Systolic Blood Pressure",
  bloodPressureDiastolic: "Diastolic Blood Pressure",
  bloodPressure: "Blood Pressure",
  sleepAnalysis: "Sleep",
  mindfulSession: "Mindful Minutes",
  environmentalAudioExposure: "Environmental Sound Levels",
  headphoneAudioExposure: "Headphone Audio Levels",
  appleWalkingSteadiness: "Walking Steadiness",
  walkingAsymmetryPercentage: "Walking Asymmetry",
  walkingDoubleSupportPercentage: "Double Support Time",
  sixMinuteWalkTestDistance: "Six-Minute Walk",
  appleSleepingWristTemperature: "Wrist Temperature",
  timeInDaylight: "Time in Daylight",
  bloodGlucose: "Blood Glucose",
  electrocardiogram: "Electrocardiograms",
  workout: "Workouts",
  workoutType: "Workouts",
  stateOfMind: "State of Mind",
  activitySummary: "Activity Rings",
  workoutRoute: "Workout Routes",
  food: "Food",
  appleSleepingBreathingDisturbances: "Breathing Disturbances",
  heartbeatSeries: "Heartbeat Series",
  audiogram: "Audiograms",
  visionPrescription: "Vision Prescriptions",
  medicationDoseEvent: "Medication Doses",
  userAnnotatedMedicationConcept: "Medications",
  verifiableClinicalRecord: "Verifiable Records",
  allergyRecord: "Allergies",
  clinicalNoteRecord: "Clinical Notes",
  conditionRecord: "Conditions",
  coverageRecord: "Insurance",
  immunizationRecord: "Immunizations",
  labResultRecord: "Lab Results",
  medicationRecord: "Prescribed Medications",
  procedureRecord: "Procedures",
  vitalSignRecord: "Clinical Vitals",
  cda: "Clinical Documents",
  coughing: "Cough",
  generalizedBodyAche: "Body and Muscle Ache",
  menstrualFlow: "Menstruation",
  numberOfAlcoholicBeverages: "Alcohol Consumption",
  numberOfTimesFallen: "Falls",
  dietaryFatMonounsaturated: "Monounsaturated Fat",
  dietaryFatPolyunsaturated: "Polyunsaturated Fat",
  dietaryFatSaturated: "Saturated Fat",
  dietaryFatTotal: "Total Fat",
  distanceCrossCountrySkiing: "Cross-Country Skiing Distance",
  distanceDownhillSnowSports: "Downhill Snow Sports Distance",
  distancePaddleSports: "Paddle Sports Distance",
  distanceRowing: "Rowing Distance",
  distanceSkatingSports: "Skating Sports Distance",
  distanceWheelchair: "Wheelchair Distance",
  forcedExpiratoryVolume1: "Forced Expiratory Volume",
  gad7: "Anxiety Risk",
  phq9: "Depression Risk",
  insulinDelivery: "Insulin",
  pushCount: "Pushes",
  uvExposure: "UV Index",
};

/** The name people read: Walking Speed for HKQuantityTypeIdentifierWalkingSpeed. */
export function typeName(identifier) {
  const name = shortName(identifier);
  return localizedName(name, names[name] ?? wordsOf(name));
}

function wordsOf(name) {
  return name.replace(/^apple(?=[A-Z])/, "").replace(/^dietary(?=[A-Z])/, "").replace(/Percentage$/, "")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2").replace(
      /^./,
      (letter) => letter.toUpperCase(),
    ).replace(/ (And|In|Of|Or) /g, (word) => word.toLowerCase());
}

/** Health's categories with their icon, in the order of the page. */
export const categories = {
  activity: { name: localized("Activity"), icon: "flame" },
  heart: { name: localized("Heart"), icon: "heart" },
  sleep: { name: localized("Sleep"), icon: "moon" },
  body: { name: localized("Body Measurements"), icon: "body" },
  nutrition: { name: localized("Nutrition"), icon: "food" },
  vitals: { name: localized("Vitals"), icon: "pressure" },
  respiratory: { name: localized("Respiratory"), icon: "lungs" },
  mobility: { name: localized("Mobility"), icon: "walk" },
  mindfulness: { name: localized("Mental Wellbeing"), icon: "mind" },
  hearing: { name: localized("Hearing"), icon: "ear" },
  symptoms: { name: localized("Symptoms"), icon: "symptom" },
  cycle: { name: localized("Cycle Tracking"), icon: "cycle" },
  medications: { name: localized("Medications"), icon: "pill" },
  records: { name: localized("Health Records"), icon: "document" },
  other: { name: localized("Other Data"), icon: "other" },
};

const symptomNames = `
  pain ache nausea fatigue cough fever headache vomiting dizziness chills bloating heartburn diarrhea constipation
  appetite moodChanges congestion throat shortness rapidPounding skipped hotFlashes acne drySkin hairLoss memory sinus
  wheezing tightness fainting lossOf sweats incontinence vaginalDryness runnyNose`;

const activityNames = `
  step energyBurned distance flights exercise stand move workout swimming cycling push physicalEffort activity nike
  running rowing crossCountry paddle effort`;

const anyOf = (names) => new RegExp(names.trim().split(/\s+/).join("|"), "i");

/** The first pattern that a type's short name matches decides its category. */
const rules = [
  [
    "records",
    /(allergy|note|condition|immunization|labResult|medication|procedure|vitalSign|coverage|clinical)Record|^cda$/i,
  ],
  ["medications", /^(userAnnotated)?medication/i],
  ["sleep", /sleep/i],
  ["heart", /heart|vo2Max|electrocardiogram|atrialFibrillation|peripheralPerfusion|lowCardioFitness/i],
  ["respiratory", /respiratory|oxygenSaturation|forced|peakExpiratory|inhaler|sixMinuteWalk/i],
  ["vitals", /bloodPressure|bodyTemperature|basalBodyTemperature|bloodGlucose|bloodAlcohol|insulin|electrodermal/i],
  ["nutrition", /^dietary|^food$|alcoholicBeverages/i],
  ["mobility", /^walking|WalkingSteadiness|stair|^running(?!$)|gait/i],
  ["hearing", /audio|hearing|headphone/i],
  ["mindfulness", /mindful|stateOfMind|daylight|gad7|phq9/i],
  ["cycle", /menstrual|ovulation|cervical|sexual|contraceptive|pregnan|lactation|intermenstrual|progesterone/i],
  ["symptoms", anyOf(symptomNames)],
  ["body", /^body|^height$|leanBody|waist|bmi/i],
  ["activity", anyOf(activityNames)],
];

/** The category of a type, which gives its color and icon. */
export function category(identifier) {
  const name = shortName(identifier);
  return (rules.find(([, pattern]) => pattern.test(name)) ?? ["other"])[0];
}

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
