// Medications, and the doses that were scheduled, taken and skipped.

import { html } from "../app/dom.js";
import { date } from "../app/format.js";
import { localized } from "../app/language.js";
import { words } from "../app/types.js";
import { card, figures, titled } from "../components/cards.js";
import { doseStatus, doseText, isDose, medicationName, readMedications } from "../components/medications.js";

const schedules = { 1: localized("As needed"), 2: localized("By schedule") };

export const prepare = readMedications;

export function row(sample, known) {
  const { fields = {} } = sample;
  if (!isDose(sample)) {
    return {
      title: medicationName(fields),
      note: [fields.nickname && fields.displayText, words(fields.generalForm ?? "")].filter(Boolean).join(" · "),
      value: fields.isArchived ? localized("Archived") : undefined,
    };
  }
  return { title: medicationName(known.get(fields.medicationConceptIdentifier)), value: doseStatus(fields) };
}

/** The medications beside their doses. */
export function overview(type, known) {
  if (!isDose({ type }) || known.size === 0) return null;
  const rows = [...known.values()].map((fields) =>
    html(
      "li",
      titled(
        medicationName(fields),
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
      [localized("State"), doseStatus(fields)],
      [localized("Dose"), doseText(fields.doseQuantity, fields.unit) ?? "–"],
      scheduled && [localized("Scheduled"), `${date(scheduled, "short")}, ${date(scheduled, "time")}`],
      fields.scheduledDoseQuantity !== undefined &&
      [localized("Scheduled dose"), doseText(fields.scheduledDoseQuantity, fields.unit)],
    ]),
    html("dl.members", names.map(([name, value]) => html("div", html("dt", name), html("dd", value)))),
  ];
}
