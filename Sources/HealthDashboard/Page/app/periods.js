// The periods that Trends shows: how long each is, by what it may be divided, and how its parts are named.

import {
  addDays,
  addMonths,
  dateOf,
  daysBetween,
  instant,
  noon,
  startOfMonth,
  startOfWeek,
  startOfYear,
  timeOf,
} from "./calendar.js";
import { date, dateRange, hourName } from "./format.js";
import { localized } from "./language.js";

/** Each has its `intervals`, the usual one first; see `intervalsOf`. */
export const periods = {
  day: { label: localized("D"), name: localized("Day"), intervals: ["hour"] },
  week: { label: localized("W"), name: localized("Week"), intervals: ["day", "hour"] },
  month: { label: localized("M"), name: localized("Month"), intervals: ["day", "week"] },
  half: { label: localized("6M"), name: localized("6 months"), intervals: ["week", "day", "month"] },
  year: { label: localized("Y"), name: localized("Year"), intervals: ["month", "week", "day"] },
  all: { label: localized("All"), name: localized("All"), intervals: ["month", "year"] },
};

/** Names of intervals in lists. */
export const intervalNames = {
  hour: localized("By hour"),
  day: localized("By day"),
  week: localized("By week"),
  month: localized("By month"),
  year: localized("By year"),
};

/**
 * The dates of a period, `[start, end)`: without a day the one up to today, with a day the day, week, month or year of
 * the calendar that it is in, or the half year up to its week. One that isn't over is the one up to today. `first` is
 * the date of the first sample, for the whole time.
 */
export function period(name, day, first, today = dateOf()) {
  const placed = day && day < today && periodOf[name]?.(day);
  if (placed && placed.end <= today) return placed;
  const end = addDays(today, 1);
  switch (name) {
    case "day":
      return { start: today, end };
    case "week":
      return { start: addDays(end, -7), end };
    case "month":
      return { start: addDays(end, -30), end };
    case "half":
      return periodOf.half(today);
    case "year": {
      const last = addMonths(startOfMonth(today), 1);
      return { start: addMonths(last, -12), end: last };
    }
    default:
      return { start: startOfMonth(first ?? addMonths(today, -12)), end: addMonths(startOfMonth(today), 1) };
  }
}

const periodOf = {
  day: (day) => ({ start: day, end: addDays(day, 1) }),
  week: (day) => ({ start: startOfWeek(day), end: addDays(startOfWeek(day), 7) }),
  month: (day) => ({ start: startOfMonth(day), end: addMonths(startOfMonth(day), 1) }),
  half(day) {
    const end = addDays(startOfWeek(day), 7);
    return { start: addDays(end, -182), end };
  },
  year: (day) => ({ start: startOfYear(day), end: addMonths(startOfYear(day), 12) }),
};

/** The period before one: as many days, months of the calendar, or years. */
export function periodBefore(name, { start, end }) {
  const isMonth = name === "month" && end === addMonths(startOfMonth(start), 1) && start === startOfMonth(start);
  const months = name === "year" ? 12 : isMonth ? 1 : 0;
  if (months) return { start: addMonths(start, -months), end: addMonths(end, -months) };
  return { start: addDays(start, -daysBetween(start, end)), end: start };
}

/** A day of the period after one. */
export const dayAfter = (name, { start, end }) => name === "half" ? addDays(end, daysBetween(start, end) - 1) : end;

/** The period that shows a part of another one by itself, and a day of it. */
export function periodOfPart(part, interval) {
  return interval === "hour" ? ["day", part[0]] : [interval, part];
}

/**
 * By what a period can be divided, the usual one first. No combination has more than about 400 parts, except the years
 * after a wrong date.
 */
export function intervalsOf(name, first) {
  const all = periods[name].intervals;
  return name === "all" && first && daysBetween(first, dateOf()) > 400 * 30 ? ["year"] : all;
}

/**
 * The beginnings of the parts of a period, as dates; hours as `[date, hour, isRepeated]`, of which the last is true for
 * the second of two hours when the clock is put back.
 */
export function parts({ start, end }, interval) {
  if (interval === "hour") return datesBetween(start, end, nextDay).flatMap(hoursOf);
  const [startOf, next] = steps[interval];
  return datesBetween(startOf(start), end, next);
}

const nextDay = (date) => addDays(date, 1);

/** Where the parts of each interval begin: that of a date, and the next one. */
const steps = {
  day: [(date) => date, nextDay],
  week: [startOfWeek, (date) => addDays(date, 7)],
  month: [startOfMonth, (date) => addMonths(date, 1)],
  year: [startOfYear, (date) => addMonths(date, 12)],
};

function datesBetween(start, end, next) {
  const dates = [];
  for (let date = start; date < end; date = next(date)) dates.push(date);
  return dates;
}

const twoDigits = (hour) => String(hour).padStart(2, "0");
const millisecondsOfHour = 3600000;
const hourAt = (moment) => timeOf(new Date(moment)).slice(0, 2);
/** Whether the hour of an instant is the one before again. */
const isAgain = (moment) => hourAt(moment) === hourAt(moment - millisecondsOfHour);

function hoursOf(date) {
  const hours = Array.from({ length: 24 }, (_, hour) => [date, hour, false]);
  const next = ([, hour]) => startOfHour([date, hour, false]).getTime() + millisecondsOfHour;
  return hours.flatMap((part) => isAgain(next(part)) ? [part, [...part.slice(0, 2), true]] : [part]);
}

/** The instant at which an hour begins. */
function startOfHour([date, hour, isRepeated]) {
  const found = instant(date, `${twoDigits(hour)}:00`).getTime();
  const first = isAgain(found) ? found - millisecondsOfHour : found;
  return new Date(isRepeated ? first + millisecondsOfHour : first);
}

/** Whether a part is the second of two hours of one name. */
export const isRepeated = (part) => Array.isArray(part) && part[2];

/** The key of a part, for its description. */
export function partKey(part) {
  return Array.isArray(part) ? `${part[0]}T${twoDigits(part[1])}${part[2] ? "+" : ""}` : part;
}

/** The key of the part that begins at an instant. */
export function keyOf(startDate, interval) {
  const moment = new Date(startDate);
  if (interval !== "hour") return dateOf(moment);
  return `${dateOf(moment)}T${hourAt(moment)}${isAgain(moment.getTime()) ? "+" : ""}`;
}

/** The label of a part below the chart. */
export function partLabel(part, interval, count) {
  switch (interval) {
    case "hour": {
      const [day, hour] = part;
      return count > 24 ? `${date(noon(day), "weekday")} ${hourName(hour)}` : hourName(hour);
    }
    case "day":
      return date(noon(part), count <= 7 ? "weekday" : "short");
    case "week":
      return date(noon(part), "short");
    case "month":
      return date(noon(part), count <= 12 ? "monthShort" : "monthYear");
    default:
      return part.slice(0, 4);
  }
}

/** The full name of a part, for tooltips and tables. */
export function partTitle(part, interval) {
  switch (interval) {
    case "hour": {
      const start = startOfHour(part);
      return `${date(start, "weekdayDay")}, ${date(start, "time")}`;
    }
    case "day":
      return date(noon(part), "weekdayDay");
    case "week":
      return dateRange(noon(part), noon(addDays(part, 6)), "short");
    case "month":
      return date(noon(part), "month");
    default:
      return part.slice(0, 4);
  }
}

/** Which part of a part the figures are of, if the API says that it is only partly in the range: "from 3 May". */
export function cutText({ from, until } = {}) {
  const last = until && date(new Date(Date.parse(until) - 1), "short");
  return [
    from && localized("from {date}", { date: date(from, "short") }),
    last && localized("until {date}", { date: last }),
  ].filter(Boolean).join(" ");
}

/** The index of the part that isn't over yet, or -1. */
export function openPart(list, interval, now = new Date()) {
  const key = interval === "hour" ? keyOf(now, interval) : dateOf(now);
  const index = list.findLastIndex((part) => partKey(part) <= key);
  if (index < 0) return -1;
  const isOpen = interval === "hour" ? partKey(list[index]) === key : steps[interval][1](list[index]) > key;
  return isOpen ? index : -1;
}

/** The name of a period above its chart. */
export function periodTitle({ start, end }) {
  return daysBetween(start, end) <= 1 ? date(noon(start), "day") : dateRange(noon(start), noon(addDays(end, -1)));
}
