// Medications, and the doses that were scheduled, taken and skipped.

import * as api from "../app/api.js";
import { html } from "../app/dom.js";
import { date, number } from "../app/format.js";
import { localized } from "../app/language.js";
import { shortName, words } from "../app/types.js";
import { card, figures, titled } from "../components/cards.js";

const concepts = "HKDataTypeIdentifierUserAnnotatedMedicationConcept";
const mostConcepts = 200;

const statuses = {
  1: localized("No answer"),
  2: localized("Not reminded"),
  3: localized("Snoozed"),
  4: localized("Taken"),
  5: localized("Skipped"),
  6: localized("Not logged"),
};
const schedules = { 1: localized("As needed"), 2: localized("By schedule") };

/** The medications by the identifiers of their concepts. */
export async function prepare() {
  const { samples } = await api.read("samples", { type: concepts, limit: mostConcepts });
  return new Map(samples.map(({ fields = {} }) => [fields.medicationConceptIdentifier, fields]));
}

const isDose = ({ type }) => shortName(type) === "medicationDoseEvent";
const nameOf = (fields) => fields?.nickname || fields?.displayText || localized("Medication");
const status = ({ logStatus }) => statuses[logStatus] ?? localized("Unknown");
const dose = (value, unit) => value === undefined ? undefined : [number(value, 2), unit].filter(Boolean).join(" ");

export function row(sample, known) {
  const { fields = {} } = sample;
  if (!isDose(sample)) {
    return {
      title: nameOf(fields),
      note: [fields.nickname && fields.displayText, words(fields.generalForm ?? "")].filter(Boolean).join(" · "),
      value: fields.isArchived ? localized("Archived") : undefined,
    };
  }
  return { title: nameOf(known.get(fields.medicationConceptIdentifier)), value: status(fields) };
}

/** The medications beside their doses. */
export function overview(type, known) {
  if (!isDose({ type }) || known.size === 0) return null;
  const rows = [...known.values()].map((fields) =>
    html(
      "li",
      titled(
        nameOf(fields),
        [fields.nickname && fields.displayText, words(fields.generalForm ?? "")].filter(Boolean).join(" · "),
      ),
      fields.isArchived && html("span.tag", localized("Archived")),
    )
  );
  return card(localized("Medications"), { tone: "medications", symbol: "pill" }, html("ul.list", rows)).element;
}

export function details(sample, known) {
  const { fields = {} } = sample;
  const medication = isDose(sample) ? known.get(fields.medicationConceptIdentifier) : fields;
  const { displayText, nickname, generalForm, hasSchedule, isArchived, relatedCodings = [] } = medication ?? {};
  const codes = relatedCodings.map(({ system, code }) => `${/rxnorm/i.test(system) ? "RxNorm" : system} ${code}`);
  const scheduled = fields.scheduledDate?.date;
  const names = [
    displayText && nickname && [localized("Full name"), displayText],
    generalForm && [localized("Form"), words(generalForm)],
    isDose(sample) &&
    fields.scheduleType && [localized("Schedule"), schedules[fields.scheduleType] ?? localized("Unknown")],
    !isDose(sample) && [localized("Schedule"), schedules[hasSchedule ? 2 : 1]],
    isArchived && [localized("Archived"), localized("Yes")],
    codes.length > 0 && [localized("Codes"), codes.join(", ")],
  ].filter(Boolean);
  return [
    isDose(sample) && figures([
      [localized("State"), status(fields)],
      [localized("Dose"), dose(fields.doseQuantity, fields.unit) ?? "–"],
      scheduled && [localized("Scheduled"), `${date(scheduled, "short")}, ${date(scheduled, "time")}`],
      fields.scheduledDoseQuantity !== undefined &&
      [localized("Scheduled dose"), dose(fields.scheduledDoseQuantity, fields.unit)],
    ]),
    html("dl.members", names.map(([name, value]) => html("div", html("dt", name), html("dd", value)))),
  ];
}
