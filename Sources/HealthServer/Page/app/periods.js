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
} from "./calendar.js";
import { date, dateRange } from "./format.js";

/** Each has its `intervals`, the usual one first; see `intervalsOf`. */
export const periods = {
  day: { label: "D", name: "Day", intervals: ["hour"] },
  week: { label: "W", name: "Week", intervals: ["day", "hour"] },
  month: { label: "M", name: "Month", intervals: ["day", "week"] },
  half: { label: "6M", name: "6 months", intervals: ["week", "day", "month"] },
  year: { label: "Y", name: "Year", intervals: ["month", "week", "day"] },
  all: { label: "All", name: "All", intervals: ["month", "year"] },
};

/** Names of intervals in lists. */
export const intervalNames = { hour: "By hour", day: "By day", week: "By week", month: "By month", year: "By year" };

/**
 * The dates of a period, `[start, end)`; `back` is the number of periods before the current one. `first` is the date of
 * the first sample, for the whole time.
 */
export function period(name, back, first, today = dateOf()) {
  const end = addDays(today, 1);
  switch (name) {
    case "day":
      return { start: addDays(today, -back), end: addDays(end, -back) };
    case "week":
      return { start: addDays(end, -7 * (back + 1)), end: addDays(end, -7 * back) };
    case "month":
      return { start: addDays(end, -30 * (back + 1)), end: addDays(end, -30 * back) };
    case "half": {
      const last = addDays(startOfWeek(today), 7 - 182 * back);
      return { start: addDays(last, -182), end: last };
    }
    case "year": {
      const last = addMonths(startOfMonth(today), 1 - 12 * back);
      return { start: addMonths(last, -12), end: last };
    }
    default:
      return { start: startOfMonth(first ?? addMonths(today, -12)), end: addMonths(startOfMonth(today), 1) };
  }
}

/**
 * By what a period can be divided, the usual one first. No combination has more than about 400 parts, except the years
 * after a wrong date.
 */
export function intervalsOf(name, first) {
  const all = periods[name].intervals;
  return name === "all" && first && daysBetween(first, dateOf()) > 400 * 30 ? ["year"] : all;
}

/** The beginnings of the parts of a period, as dates; hours as `[date, hour]`. */
export function parts({ start, end }, interval) {
  const found = [];
  if (interval === "hour") {
    for (let day = start; day < end; day = addDays(day, 1)) {
      for (let hour = 0; hour < 24; hour += 1) found.push([day, hour]);
    }
    return found;
  }
  let part = { day: start, week: startOfWeek(start), month: startOfMonth(start), year: startOfYear(start) }[interval];
  while (part < end) {
    found.push(part);
    part = interval === "day"
      ? addDays(part, 1)
      : interval === "week"
      ? addDays(part, 7)
      : addMonths(part, interval === "month" ? 1 : 12);
  }
  return found;
}

/** The key of the part that an instant begins: comparable with the parts above. */
export function partKey(part) {
  return Array.isArray(part) ? `${part[0]}T${String(part[1]).padStart(2, "0")}` : part;
}

/** The label of a part below the chart. */
export function partLabel(part, interval, count) {
  if (interval === "hour") {
    return count > 24
      ? `${date(noon(part[0]), "weekday")} ${String(part[1]).padStart(2, "0")}`
      : String(part[1]).padStart(2, "0");
  }
  if (interval === "day") return count <= 7 ? date(noon(part), "weekday") : date(noon(part), "short");
  if (interval === "week") return date(noon(part), "short");
  if (interval === "month") {
    return count <= 12 ? date(noon(part), "monthShort") : date(noon(part), "month").replace(/^(\S{3})\S*/, "$1");
  }
  return part.slice(0, 4);
}

/** The full name of a part, for tooltips and tables. */
export function partTitle(part, interval) {
  if (interval === "hour") {
    const from = instant(part[0], `${String(part[1]).padStart(2, "0")}:00`);
    return `${date(from, "weekdayDay")}, ${date(from, "time")}`;
  }
  if (interval === "day") return date(noon(part), "weekdayDay");
  if (interval === "week") return dateRange(noon(part), noon(addDays(part, 6)), "short");
  if (interval === "month") return date(noon(part), "month");
  return part.slice(0, 4);
}

/** The name of a period above its chart. */
export function periodTitle({ start, end }) {
  return daysBetween(start, end) <= 1 ? date(noon(start), "day") : dateRange(noon(start), noon(addDays(end, -1)));
}
