// The form of medications that were taken: one of those in the store, or a new one by its name.

import * as api from "../app/api.js";
import { html } from "../app/dom.js";
import { localized } from "../app/language.js";
import { field, numberInput, readNumber, reject, segmented, select } from "./controls.js";
import { openDialog } from "./dialogs.js";
import { digitsOfEntry, fieldText, lastSample, momentFields, submitLabel } from "./log-forms.js";

const dose = "medicationDoseEvent";
const concept = "userAnnotatedMedicationConcept";
/** The raw values of HKMedicationDoseEvent.LogStatus and of its ScheduleType. */
const statuses = [["4", localized("Taken")], ["5", localized("Skipped")]];
const asNeeded = 1;
const mostConcepts = 200;
const isNew = "new";

export async function logMedication(log, entry) {
  const { samples } = await api.read("samples", { type: concept, limit: mostConcepts });
  const known = entry ?? await lastSample(dose);
  const medications = samples
    .filter(({ fields = {} }) => fields.medicationConceptIdentifier && !fields.isArchived)
    .map(({ fields }) => [fields.medicationConceptIdentifier, fields.nickname || fields.displayText]);
  const last = known?.fields ?? {};
  const { medicationConceptIdentifier: taken, doseQuantity, unit: doseUnit } = last;
  const isListed = medications.some(([identifier]) => identifier === taken);
  const name = html("input", { autocomplete: "off" });
  const named = field(localized("Name"), name);
  const showName = () => {
    named.hidden = which.value !== isNew;
  };
  const options = [...medications, [isNew, localized("Another medication …")]];
  const which = select(options, isListed ? taken : options[0][0], showName);
  const amount = numberInput({ value: fieldText(doseQuantity ?? 1, digitsOfEntry), min: 0, max: 1e5 });
  const unit = html("input", { autocomplete: "off", value: doseUnit ?? localized("tablet") });
  let status = String(last.logStatus ?? 4);
  if (!entry || !statuses.some(([value]) => value === status)) status = "4";
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
  showName();
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
