// Prescriptions for glasses and contact lenses.

import { html } from "../app/dom.js";
import { date, number } from "../app/format.js";
import { localized } from "../app/language.js";
import { figures } from "../components/cards.js";
import { table } from "../components/value-table.js";

const kinds = { 1: "Glasses", 2: "Contact lenses" };

const kind = ({ fields = {} }) => localized(kinds[fields.prescriptionType] ?? "Prescription");

export function row(sample) {
  const expires = sample.fields?.expirationDate?.date;
  return { title: kind(sample), value: expires && localized("until {date}", { date: date(expires, "monthYear") }) };
}

/** The values of a lens in the order of a prescription, with how each is written. */
const lines = [
  ["sphere", "Sphere (SPH)", diopters],
  ["cylinder", "Cylinder (CYL)", diopters],
  ["axis", "Axis", (value) => `${number(value)}°`],
  ["addPower", "Addition (ADD)", diopters],
  ["vertexDistance", "Vertex distance", millimeters],
  ["prism", "Prism", prism],
  ["farPupillaryDistance", "Pupillary distance, far", millimeters],
  ["nearPupillaryDistance", "Pupillary distance, near", millimeters],
  ["baseCurve", "Base curve", millimeters],
  ["diameter", "Diameter", millimeters],
];

function diopters(value) {
  const sign = value < 0 ? "−" : "+";
  return `${value === 0 ? "" : sign}${number(Math.abs(value), 2)} D`;
}

function millimeters(value) {
  return `${number(value, 1)} mm`;
}

function prism(value) {
  const { amount = value, angle } = value;
  const size = amount?.quantity ?? amount;
  if (typeof size !== "number") return localized("Yes");
  const at = angle?.quantity ?? angle;
  return `${number(size, 2)} Δ${typeof at === "number" ? ` @ ${number(at)}°` : ""}`;
}

export function details(sample) {
  const { brand, expirationDate, rightEye = {}, leftEye = {} } = sample.fields ?? {};
  const rows = lines.filter(([name]) => rightEye[name] !== undefined || leftEye[name] !== undefined)
    .map(([name, title, write]) => {
      const text = (eye) => {
        const value = eye[name];
        return value === undefined ? "–" : write(name === "prism" ? value : value.quantity ?? value);
      };
      return [localized(title), text(rightEye), text(leftEye)];
    });
  return [
    figures([
      [localized("Kind"), kind(sample)],
      expirationDate && [localized("Valid until"), date(expirationDate.date)],
      brand && [localized("Brand"), brand],
    ], "worded"),
    rows.length > 0
      ? table(localized("Values of both eyes"), [localized("Measure"), localized("Right eye (OD)"), localized("Left eye (OS)")], rows)
      : html("p.muted", localized("The prescription has no values, only its picture or date.")),
  ];
}
