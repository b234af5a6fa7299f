// The medications of the store, and what a dose of one is called.

import * as api from "../app/api.js";
import { number } from "../app/format.js";
import { localized } from "../app/language.js";
import { shortName } from "../app/types.js";

export const concept = "userAnnotatedMedicationConcept";
const mostConcepts = 200;

/** The raw values of HKMedicationDoseEvent.LogStatus. */
const statuses = {
  1: localized("No answer"),
  2: localized("Not reminded"),
  3: localized("Snoozed"),
  4: localized("Taken"),
  5: localized("Skipped"),
  6: localized("Not logged"),
};
export const taken = 4;

let known = new Map();

/** Reads the medications by the identifiers of their concepts, the latest first, for `doseTexts` too. */
export async function readMedications() {
  const { samples } = await api.read("samples", { type: concept, sort: "-startDate", limit: mostConcepts });
  known = new Map();
  for (const { fields = {} } of samples) {
    const identifier = fields.medicationConceptIdentifier;
    // Of several versions, the latest counts.
    if (!known.has(identifier)) known.set(identifier, fields);
  }
  return known;
}

export const isDose = ({ type }) => shortName(type) === "medicationDoseEvent";
export const medicationName = (fields) => fields?.nickname || fields?.displayText || localized("Medication");
export const doseStatus = ({ logStatus }) => statuses[logStatus] ?? localized("Unknown");
export const doseText = (value, unit) =>
  value === undefined ? undefined : [number(value, 2), unit].filter(Boolean).join(" ");

/** The medication of a dose, and how much of it was taken or why none. */
export function doseTexts({ fields = {} }) {
  const amount = fields.logStatus === taken ? doseText(fields.doseQuantity, fields.unit) : undefined;
  return [medicationName(known.get(fields.medicationConceptIdentifier)), amount ?? doseStatus(fields)];
}
