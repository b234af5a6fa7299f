// Correlations, such as a food with its nutrients: one record with its parts.

import { quantity } from "../app/format.js";
import { localized } from "../app/language.js";
import { typeName, valueName } from "../app/types.js";
import { table } from "../components/value-table.js";

const text = ({ quantity: value, unit, type, valueName: name, value: raw }) =>
  value === undefined ? (name ? valueName(name) : `${raw ?? "–"}`) : quantity(value, unit, type);

/** What is shown of the whole: the energy of a food, else all of a few parts. */
function sum(objects) {
  const energy = objects.find(({ type }) => type.endsWith("DietaryEnergyConsumed"));
  return energy ? text(energy) : objects.slice(0, 2).map(text).join(" · ");
}

export function row({ type, metadata = {}, objects = [] }) {
  return { title: metadata.HKFoodType ?? typeName(type), value: sum(objects) };
}

export function details({ objects = [] }) {
  const sorted = [...objects].sort((a, b) => typeName(a.type).localeCompare(typeName(b.type)));
  return table(
    localized("Parts of the record"),
    [localized("Type"), localized("Value")],
    sorted.map((part) => [typeName(part.type), text(part)]),
  );
}
