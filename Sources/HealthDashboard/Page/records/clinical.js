// Clinical records: the FHIR resources of an institution, in words.

import { noon } from "../app/calendar.js";
import { html } from "../app/dom.js";
import { date, number } from "../app/format.js";
import { localized } from "../app/language.js";
import { words } from "../app/types.js";
import { figures } from "../components/cards.js";
import { table } from "../components/value-table.js";
import { narrative } from "./documents.js";

export function row({ fields = {}, source }) {
  return { title: fields.displayName ?? localized("Clinical record"), value: source };
}

export function details(sample) {
  const { FHIRResourceType: type, FHIRVersion: version, FHIRData: contents } = sample.fields ?? {};
  const resource = read(contents?.data);
  const kind = resource?.resourceType ?? type;
  const head = figures([
    kind && [localized("Kind"), kinds[kind] ?? words(kind)],
    [localized("Institution"), sample.source],
    resource?.status && [localized("State"), statuses[resource.status] ?? words(`${resource.status}`)],
  ], "worded");
  if (!resource) {
    return [head, html("p.muted", localized("The record has no contents, only its name."))];
  }
  return [
    head,
    components(resource),
    resourceList(resource),
    html(
      "details.values",
      html("summary", localized("As the institution sent it (FHIR {version})", { version: version ?? "" })),
      html("pre.source", { tabindex: "0" }, JSON.stringify(resource, null, 2)),
    ),
  ];
}

function read(base64) {
  if (!base64) return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const value = JSON.parse(new TextDecoder().decode(bytes));
    return value && typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

const kinds = {
  AllergyIntolerance: localized("Allergy"),
  Condition: localized("Condition"),
  Coverage: localized("Insurance"),
  DiagnosticReport: localized("Report"),
  DocumentReference: localized("Clinical note"),
  Immunization: localized("Immunization"),
  MedicationDispense: localized("Medication"),
  MedicationOrder: localized("Medication"),
  MedicationRequest: localized("Medication"),
  MedicationStatement: localized("Medication"),
  Observation: localized("Result"),
  Procedure: localized("Procedure"),
};

const statuses = {
  active: localized("Active"),
  completed: localized("Completed"),
  final: localized("Final"),
  preliminary: localized("Preliminary"),
  amended: localized("Amended"),
  stopped: localized("Stopped"),
  cancelled: localized("Cancelled"),
  "entered-in-error": localized("Entered in error"),
  "not-done": localized("Not done"),
  current: localized("Current"),
};

/** What isn't for people, or is shown elsewhere. */
const hidden = new Set([
  "resourceType", "id", "meta", "contained", "implicitRules", "language", "identifier", "extension",
  "modifierExtension", "status", "component", "patient", "subject", "encounter", "context",
]);

/** Words for the members that are common; others are their names in words. */
const labels = {
  code: localized("Name"),
  medicationCodeableConcept: localized("Medication"),
  vaccineCode: localized("Vaccine"),
  valueQuantity: localized("Value"),
  valueCodeableConcept: localized("Value"),
  valueString: localized("Value"),
  referenceRange: localized("Reference range"),
  interpretation: localized("Interpretation"),
  category: localized("Category"),
  clinicalStatus: localized("Clinical status"),
  verificationStatus: localized("Verification"),
  criticality: localized("Criticality"),
  reaction: localized("Reaction"),
  severity: localized("Severity"),
  onsetDateTime: localized("Since"),
  abatementDateTime: localized("Until"),
  effectiveDateTime: localized("Date"),
  effectivePeriod: localized("Period"),
  performedDateTime: localized("Date"),
  occurrenceDateTime: localized("Date"),
  issued: localized("Issued"),
  recordedDate: localized("Recorded"),
  authoredOn: localized("Prescribed"),
  dateWritten: localized("Prescribed"),
  date: localized("Date"),
  performer: localized("By"),
  recorder: localized("By"),
  asserter: localized("By"),
  requester: localized("By"),
  prescriber: localized("By"),
  author: localized("By"),
  dosageInstruction: localized("Dosage"),
  dosage: localized("Dosage"),
  note: localized("Note"),
  bodySite: localized("Body site"),
  type: localized("Kind"),
  content: localized("Contents"),
  lotNumber: localized("Lot number"),
  payor: localized("Insurer"),
  period: localized("Period"),
  route: localized("Route"),
  site: localized("Site"),
  manufacturer: localized("Manufacturer"),
  expirationDate: localized("Use by"),
  doseQuantity: localized("Dose"),
  reasonCode: localized("Reason"),
  reasonReference: localized("Reason"),
  statusReason: localized("Reason for the status"),
  method: localized("Method"),
  specimen: localized("Specimen"),
  device: localized("Device"),
  location: localized("Place"),
  quantity: localized("Quantity"),
  daysSupply: localized("Days of supply"),
  whenHandedOver: localized("Handed over"),
  dispenseRequest: localized("Dispensing"),
  outcome: localized("Outcome"),
  complication: localized("Complication"),
  followUp: localized("Follow-up"),
  conclusion: localized("Conclusion"),
  result: localized("Results"),
  stage: localized("Stage"),
  evidence: localized("Evidence"),
  lastOccurrence: localized("Last time"),
  relationship: localized("Relationship"),
  subscriberId: localized("Member number"),
  presentedForm: localized("Document"),
  reportOrigin: localized("Source"),
  primarySource: localized("From the primary source"),
  performedPeriod: localized("Period"),
  onsetPeriod: localized("Since"),
  valueInteger: localized("Value"),
  valueBoolean: localized("Value"),
  valueDateTime: localized("Value"),
  dataAbsentReason: localized("Why there is no value"),
  intent: localized("Intent"),
  priority: localized("Priority"),
  description: localized("Description"),
  title: localized("Title"),
  text: localized("Text"),
};

function resourceList(resource) {
  const lines = Object.entries(resource).filter(([name]) => !hidden.has(name)).map(([name, value]) => {
    const shown = name === "text" ? narrative(value?.div) : said(value);
    return shown && [labels[name] ?? words(name), shown];
  }).filter(Boolean);
  return html("dl.members", lines.map(([name, value]) => html("div", html("dt", name), html("dd", value))));
}

/** The parts of a result, such as the two pressures of blood pressure. */
function components({ component = [] }) {
  if (component.length === 0) return null;
  const rows = component.map((part) => {
    const value = Object.entries(part).find(([name]) => name.startsWith("value"))?.[1];
    return [said(part.code) ?? "–", said(value) ?? "–", said(part.referenceRange) ?? "–"];
  });
  return table(
    localized("Parts of the result"),
    [localized("Name"), localized("Value"), localized("Reference range")],
    rows,
  );
}

const isDate = /^\d{4}-\d{2}-\d{2}(T|$)/;

/** A value of FHIR as a person would write it; nothing if there is nothing to read. */
function said(value) {
  if (value === null || value === undefined || value === "") return undefined;
  if (value === true) return localized("Yes");
  if (value === false) return localized("No");
  if (typeof value === "number") return number(value, 4);
  if (typeof value === "string") {
    if (!isDate.test(value)) return value;
    return value.includes("T") ? `${date(value)}, ${date(value, "time")}` : date(noon(value.slice(0, 10)));
  }
  if (Array.isArray(value)) {
    const all = value.map(said).filter(Boolean);
    if (all.every((one) => typeof one === "string")) return all.length > 0 ? all.join(", ") : undefined;
    return html("ul.stack", all.map((one) => html("li", one)));
  }
  return saidObject(value);
}

function saidObject(value) {
  if (typeof value.text === "string") return value.text;
  if (value.coding) return said(value.coding);
  if (value.display || (value.code && value.system)) return value.display ?? value.code;
  if ("value" in value && ("unit" in value || "code" in value || "comparator" in value)) {
    return [value.comparator, number(value.value, 4), value.unit ?? value.code].filter(Boolean).join(" ");
  }
  if (value.low || value.high) return range(value);
  if (value.start || value.end) return [said(value.start), said(value.end)].filter(Boolean).join(" – ");
  if (value.numerator) return [value.numerator, value.denominator].map(said).filter(Boolean).join(" / ");
  if (value.contentType && value.data) return attachment(value);
  if (value.family || value.given) return [said(value.given), said(value.family)].filter(Boolean).join(" ");
  if (value.reference) return undefined;
  const lines = Object.entries(value).filter(([name]) => !hidden.has(name))
    .map(([name, part]) => [labels[name] ?? words(name), said(part)]).filter(([, part]) => part);
  if (lines.length === 0) return undefined;
  if (lines.length === 1) return lines[0][1];
  return html("dl.members", lines.map(([name, part]) => html("div", html("dt", name), html("dd", part))));
}

function range({ low, high }) {
  if (low && high) return `${number(low.value, 4)}–${said(high)}`;
  return low ? `≥ ${said(low)}` : `≤ ${said(high)}`;
}

/** A document within a record: its text, if it is one. */
function attachment({ contentType, data, title }) {
  if (!/^text\/(plain|html)|xhtml/.test(contentType)) return title ?? contentType;
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const text = new TextDecoder().decode(bytes);
  return contentType.startsWith("text/plain") ? html("p.source", text) : narrative(text);
}
