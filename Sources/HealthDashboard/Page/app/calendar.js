// Days, weeks, months and years in the session's time zone. A calendar date is text: "2025-05-01".

import { session } from "./api.js";
import { firstWeekday } from "./language.js";

let partsFormatter = null;
let partsZone = null;

function parts(instant) {
  if (!partsFormatter || partsZone !== session.timeZone) {
    partsZone = session.timeZone;
    partsFormatter = new Intl.DateTimeFormat("en-US", {
      timeZone: session.timeZone ?? undefined,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  }
  const found = Object.fromEntries(partsFormatter.formatToParts(instant).map(({ type, value }) => [type, value]));
  // A wrong date of an archive can be in any year, and dates are compared as text.
  return { ...found, year: found.year.padStart(4, "0") };
}

/** The calendar date of an instant. */
export function dateOf(instant = new Date()) {
  const p = parts(instant);
  return `${p.year}-${p.month}-${p.day}`;
}

/** The date that a text is; `undefined` if it isn't one. */
export function dateIn(text) {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text ?? "") && Number.isFinite(Date.parse(`${text}T00:00:00Z`));
  // A 30 February would be read as 2 March.
  return isDate && addDays(text, 0) === text ? text : undefined;
}

/** The time of day of an instant, as the value of an input: 08:30. */
export function timeOf(instant = new Date()) {
  const p = parts(instant);
  return `${p.hour}:${p.minute}`;
}

/** The first instant that the server accepts. */
const earliest = Date.parse("0001-01-01T00:00:00Z");

/** The instant of a date and a time of day in the session's time zone. */
export function instant(date, time = "00:00") {
  const wanted = Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}Z`);
  // The offset at the first guess may be that of the other side of a clock change.
  const first = wanted - offsetAt(wanted);
  const second = wanted - offsetAt(first);
  // A time that the clock skips comes as much later: a day without midnight begins with its first hour.
  const isSkipped = second !== first && wanted - offsetAt(second) !== second;
  return new Date(Math.max(isSkipped ? Math.max(first, second) : second, earliest));
}

/** How far the clock of the session's time zone is ahead of UTC at an instant. */
function offsetAt(moment) {
  const p = parts(new Date(moment));
  return Date.parse(`${p.year}-${p.month}-${p.day}T${p.hour}:${p.minute}:${p.second}Z`) - moment;
}

/** The date `count` days after a date. */
export function addDays(date, count) {
  return new Date(Date.parse(`${date}T00:00:00Z`) + count * 86400000).toISOString().slice(0, 10);
}

/** The date `count` months after a date, at most the last day of that month. */
export function addMonths(date, count) {
  const [year, month, day] = date.split("-").map(Number);
  // Date.UTC would take a year below 100 as one of the 20th century.
  const found = new Date(0);
  found.setUTCFullYear(year, month + count, 0);
  found.setUTCDate(Math.min(day, found.getUTCDate()));
  return found.toISOString().slice(0, 10);
}

/** The first day of the week of a date: weeks begin as people there are used to. */
export function startOfWeek(date) {
  const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() - firstWeekday + 7) % 7;
  return addDays(date, -weekday);
}

export const startOfMonth = (date) => `${date.slice(0, 7)}-01`;
export const startOfYear = (date) => `${date.slice(0, 4)}-01-01`;

/** The number of days from one date to another. */
export function daysBetween(from, to) {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86400000);
}

/** Noon of a date, for naming it: whatever the clock does, it is that date. */
export const noon = (date) => instant(date, "12:00");

/** The hours since midnight, with their fraction. */
export function hourOf(value) {
  const [h, m] = timeOf(new Date(value)).split(":").map(Number);
  return h + m / 60;
}
