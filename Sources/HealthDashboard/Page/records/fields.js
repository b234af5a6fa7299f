// Any record: its fields as they are stored, in words. The modules beside this one show kinds that they know better.
//
// Each module exports `row(sample, context)` with the `title` of a list, else it is the date, `note` and `value`, and
// `details(sample, context, signal)` with what is shown of one; `prepare()` reads the context, and
// `overview(identifier, context, signal)` draws all.

import { html } from "../app/dom.js";
import { count, date, number, quantity } from "../app/format.js";
import { localized } from "../app/language.js";
import { typeName, words } from "../app/types.js";

export function row({ quantity: value, unit, valueName }) {
  return { value: value === undefined ? valueName && words(valueName) : quantity(value, unit) };
}

/** Members that every sample has, and those that are shown elsewhere. */
const common = new Set([
  "uuid", "type", "startDate", "endDate", "source", "bundleIdentifier", "sourceVersion", "productType",
  "operatingSystemVersion", "device", "deviceDetails", "metadata", "sequence", "fields", "objects",
]);

export function details(sample) {
  const own = Object.fromEntries(Object.entries(sample).filter(([name]) => !common.has(name)));
  return fieldList({ ...own, ...sample.fields });
}

/** The members of an object as names and values. */
export function fieldList(fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== "");
  const member = ([name, value]) => html("div", html("dt", label(name)), html("dd", text(value)));
  return html("dl.members", entries.map(member));
}

/** A name in words: HKMetadataKeyTimeZone is Time Zone. */
const label = (name) => words(name.replace(/^HK(MetadataKey)?/, "").replace(/Identifier$/, ""));

/** A value as it is stored: quantities, dates, lists, and objects within each other. */
function text(value) {
  if (value === true) return localized("Yes");
  if (value === false) return localized("No");
  if (typeof value === "number") return number(value, 4);
  if (Array.isArray(value)) {
    const isPlain = value.every((one) => typeof one !== "object");
    return isPlain ? value.join(", ") : html("ul.stack", value.map((one) => html("li", text(one))));
  }
  if (typeof value !== "object") return String(value);
  if ("quantity" in value && "unit" in value) return quantity(value.quantity, value.unit);
  if ("date" in value) return `${date(value.date)}, ${date(value.date, "time")}`;
  if ("data" in value) return count(atob(value.data).length, "{count} byte", "{count} bytes");
  if ("uuid" in value) return value.uuid;
  return fieldList(value);
}

/** All that a sample holds, in words: its exact times, where it is from, its fields, members and metadata. */
export function factList(sample) {
  const { uuid, startDate, endDate, source, sourceVersion, device, metadata = {}, objects = [], fields } = sample;
  const member = ({ type, quantity: value, unit, valueName }) =>
    [typeName(type), value === undefined ? valueName && words(valueName) : quantity(value, unit, type)];
  return [
    memberList([
      [localized("Start"), date(startDate, "exact")],
      endDate !== startDate && [localized("End"), date(endDate, "exact")],
      ...objects.map(member),
      [localized("Source"), [source, sourceVersion].filter(Boolean).join(" ")],
      device && [localized("Device"), device],
      ...Object.entries(metadata).map(([name, value]) => [label(name), text(value)]),
      ["UUID", uuid],
    ]),
    fields && fieldList(fields),
  ];
}

const memberList = (lines) =>
  html("dl.members", lines.filter(Boolean).map(([name, value]) => html("div", html("dt", name), html("dd", value))));

/** Where a record is from, with its metadata; below what it says. */
export function facts({ endDate, startDate, source, device, metadata = {} }) {
  const lines = [
    source && [localized("Source"), source],
    device && device !== source && [localized("Device"), device],
    endDate !== startDate && [localized("End"), `${date(endDate)}, ${date(endDate, "time")}`],
    ...Object.entries(metadata).map(([name, value]) => [label(name), text(value)]),
  ];
  return html(
    "details.values",
    html("summary", localized("Source and details")),
    memberList(lines),
  );
}
