// Prescriptions for glasses and contact lenses.

import { html } from "../app/dom.js";
import { date, number } from "../app/format.js";
import { localized } from "../app/language.js";
import { figures } from "../components/cards.js";
import { table } from "../components/value-table.js";

const kinds = { 1: localized("Glasses"), 2: localized("Contact lenses") };

const kind = ({ fields = {} }) => kinds[fields.prescriptionType] ?? localized("Prescription");

export function row(sample) {
  const expires = sample.fields?.expirationDate?.date;
  return { title: kind(sample), value: expires && localized("until {date}", { date: date(expires, "monthYear") }) };
}

/** The values of a lens in the order of a prescription, with how each is written. */
const lines = [
  ["sphere", localized("Sphere (SPH)"), diopters],
  ["cylinder", localized("Cylinder (CYL)"), diopters],
  ["axis", localized("Axis"), (value) => `${number(value)}°`],
  ["addPower", localized("Addition (ADD)"), diopters],
  ["vertexDistance", localized("Vertex distance"), millimeters],
  ["prism", localized("Prism"), prism],
  ["farPupillaryDistance", localized("Pupillary distance, far"), millimeters],
  ["nearPupillaryDistance", localized("Pupillary distance, near"), millimeters],
  ["baseCurve", localized("Base curve"), millimeters],
  ["diameter", localized("Diameter"), millimeters],
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
  const where = typeof at === "number" ? ` @ ${number(at)}°` : "";
  return `${number(size, 2)} Δ${where}`;
}

export function details(sample) {
  const { brand, expirationDate, rightEye = {}, leftEye = {} } = sample.fields ?? {};
  const rows = lines.filter(([name]) => rightEye[name] !== undefined || leftEye[name] !== undefined)
    .map(([name, title, write]) => {
      const text = (eye) => {
        const value = eye[name];
        return value === undefined ? "–" : write(name === "prism" ? value : value.quantity ?? value);
      };
      return [title, text(rightEye), text(leftEye)];
    });
  return [
    figures([
      [localized("Kind"), kind(sample)],
      expirationDate && [localized("Valid until"), date(expirationDate.date)],
      brand && [localized("Brand"), brand],
    ], "worded"),
    rows.length > 0
      ? table(
        localized("Values of both eyes"),
        [localized("Measure"), localized("Right eye (OD)"), localized("Left eye (OS)")],
        rows,
      )
      : html("p.muted", localized("The prescription has no values, only its picture or date.")),
  ];
}
