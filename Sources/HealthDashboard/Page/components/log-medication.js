// The form of medications that were taken: one of those in the store, or a new one by its name.

import * as api from "../app/api.js";
import { html } from "../app/dom.js";
import { numberText } from "../app/format.js";
import { localized } from "../app/language.js";
import { field, numberInput, readNumber, reject, segmented, select } from "./controls.js";
import { openDialog } from "./dialogs.js";
import { momentFields, submitLabel } from "./log-forms.js";
import { concept, doseStatus, medicationName, readMedications, taken } from "./medications.js";

const dose = "medicationDoseEvent";
const skipped = 5;
const statuses = [taken, skipped].map((logStatus) => [String(logStatus), doseStatus({ logStatus })]);
/** The raw value of HKMedicationDoseEvent.ScheduleType. */
const asNeeded = 1;
/** Doses among which the last one of each medication is found. */
const mostDoses = 200;
const isNew = "new";

export async function logMedication(log, entry) {
  const [known, { samples }] = await Promise.all([
    readMedications(),
    api.read("samples", { type: dose, sort: "-startDate", limit: mostDoses }),
  ]);
  // The last dose of each medication, the latest first: what is taken daily is on top.
  const last = new Map();
  for (const { fields = {} } of entry ? [entry, ...samples] : samples) {
    const { medicationConceptIdentifier: identifier } = fields;
    if (!last.has(identifier)) last.set(identifier, fields);
  }
  const own = entry?.fields?.medicationConceptIdentifier;
  const isOffered = (identifier) => known.has(identifier) && !known.get(identifier).isArchived;
  const medications = [...new Set([...last.keys(), ...known.keys()])]
    .filter((identifier) => (entry && identifier === own) || isOffered(identifier))
    .map((identifier) => [identifier, medicationName(known.get(identifier))]);
  const name = html("input", { autocomplete: "off" });
  const named = field(localized("Name"), name);
  const showChosen = () => {
    const { doseQuantity, unit: doseUnit } = last.get(which.value) ?? {};
    named.hidden = which.value !== isNew;
    amount.value = numberText(doseQuantity ?? 1);
    unit.value = doseUnit ?? localized("tablet");
  };
  const options = [...medications, [isNew, localized("Another medication …")]];
  const which = select(options, options[0][0], showChosen);
  const amount = numberInput({ min: 0, max: 1e5 });
  const unit = html("input", { autocomplete: "off" });
  let status = entry?.fields?.logStatus === skipped ? String(skipped) : String(taken);
  const choose = (value) => {
    status = value;
  };
  const moment = momentFields({ moment: entry?.startDate });
  openDialog(localized("Medication"), {
    submit: submitLabel(entry, localized("Log")),
    build: () => [
      field(localized("Medication"), which),
      named,
      html("div.fields", field(localized("Dose"), amount), field(localized("Unit"), unit)),
      segmented(localized("State"), statuses, status, choose),
      moment.element,
    ],
    onsubmit: async () => {
      const title = which.value === isNew ? name.value.trim() : which.selectedOptions[0].textContent;
      if (!title) return reject(name, localized("Enter a name.")) ?? false;
      const quantity = readNumber(amount);
      const start = moment.read();
      if (quantity === undefined || !start) return false;
      const made = [];
      const identifier = which.value === isNew ? addConcept(title, made) : which.value;
      const chosen = { medicationConceptIdentifier: identifier, logStatus: Number(status), doseQuantity: quantity };
      const fields = { scheduleType: asNeeded, ...entry?.fields, ...chosen, unit: unit.value.trim() };
      made.push({ type: dose, startDate: start.toISOString(), fields });
      await log(made, localized("{what} logged.", { what: title }));
      return true;
    },
  });
  showChosen();
}

/** Adds a medication of a name to what is saved; answers the identifier of its concept. */
function addConcept(displayText, made) {
  const [{ uuid }] = api.identified([{}]);
  const fields = {
    medicationConceptIdentifier: uuid,
    displayText,
    generalForm: "unknown",
    isArchived: false,
    hasSchedule: false,
    relatedCodings: [],
  };
  made.push({ type: concept, startDate: new Date().toISOString(), fields });
  return uuid;
}
