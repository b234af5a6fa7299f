// Numbers, units and dates as people read them. All dates are in the session's time zone.

import { session } from "./api.js";

const locale = navigator.language || "en";
const formatters = new Map();

function cached(key, make) {
  if (!formatters.has(key)) formatters.set(key, make());
  return formatters.get(key);
}

/** A number with at most `digits` fraction digits: 1,234.5. */
export function number(value, digits = 0) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return cached(`n${digits}`, () => new Intl.NumberFormat(locale, { maximumFractionDigits: digits })).format(
    value === 0 ? 0 : value,
  );
}

/** A number of things: 1 sample, 2 samples. */
export const count = (value, word) => `${number(value)} ${word}${value === 1 ? "" : "s"}`;

/** A number with a sign that is always written. */
export function signed(value, digits = 0) {
  return cached(
    `s${digits}`,
    () => new Intl.NumberFormat(locale, { maximumFractionDigits: digits, signDisplay: "exceptZero" }),
  ).format(value).replace("-", "−");
}

/** A share as a percentage: 0.824 is 82%. */
export function percent(share, digits = 0) {
  return cached(`p${digits}`, () => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: digits }))
    .format(share);
}

/** Units of HealthKit as they are written for people. Others are shown as they are. */
const unitNames = {
  "count": "",
  "count/min": "bpm",
  "kcal": "kcal",
  "Cal": "kcal",
  "min": "min",
  "s": "s",
  "hr": "h",
  "m": "m",
  "km": "km",
  "mi": "mi",
  "cm": "cm",
  "kg": "kg",
  "g": "g",
  "mg": "mg",
  "mcg": "µg",
  "lb": "lb",
  "%": "%",
  "ms": "ms",
  "mL": "mL",
  "L": "L",
  "fl_oz_us": "fl oz",
  "degC": "°C",
  "degF": "°F",
  "mmHg": "mmHg",
  "dBASPL": "dB",
  "mL/min·kg": "mL/min/kg",
  "m/s": "m/s",
  "km/hr": "km/h",
  "mi/hr": "mph",
  "mg/dL": "mg/dL",
  "W": "W",
  "kcal/hr·kg": "METs",
  "kcal/(kg*hr)": "METs",
  "ft": "ft",
  "in": "in",
  "st": "st",
  "IU": "IU",
  "dBHL": "dB HL",
};

/** The name of a unit; `type` tells breaths from heart beats. */
export function unitName(unit, type = "") {
  if (unit === "count/min" && type.endsWith("RespiratoryRate")) return "br/min";
  if (unit === "count/min" && /Cadence/.test(type)) return "rpm";
  if (/mL\/\(?kg/.test(unit) || /mL\/\(?min/.test(unit)) return "mL/min/kg";
  if (/^mmol/.test(unit)) return "mmol/L";
  return unitNames[unit] ?? unit;
}

/** How many fraction digits a value of a unit deserves. */
export function digits(unit, value = 0) {
  if (["kg", "lb", "km", "mi", "degC", "degF", "L", "m/s", "km/hr", "mi/hr", "st", "g"].includes(unit)) {
    return Math.abs(value) >= 1000 ? 0 : unit === "km" || unit === "mi" ? 2 : 1;
  }
  if (/mL\/|mmol|kcal\//.test(unit)) return 1;
  if (unit === "%") return 1;
  if (unit === "count" && Math.abs(value) < 10) return 1;
  return Math.abs(value) < 10 && unit !== "min" && unit !== "count/min" ? 1 : 0;
}

/** A value for people: HealthKit's percent is a share from 0 to 1. */
export function scaled(value, unit) {
  return unit === "%" ? value * 100 : value;
}

/** The text of a value beside an axis, where there is little room: 15K. */
export function axisAmount(value, unit) {
  const shown = scaled(value, unit);
  if (Math.abs(shown) < 10000) return number(shown, Math.abs(shown) < 10 ? 1 : 0);
  return cached("axis", () => new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 })).format(
    shown,
  );
}

/** The text of a value without its unit. */
export function amount(value, unit) {
  if (value === null || value === undefined) return "–";
  const shown = scaled(value, unit);
  return number(shown, digits(unit, shown));
}

/** A quantity with its unit, as text. Long distances in meters are written in kilometers. */
export function quantity(value, unit, type) {
  if (unit === "m" && Math.abs(value) >= 1000) return quantity(value / 1000, "km", type);
  if (unit === "count/s") return quantity(value * 60, "count/min", type);
  const name = unitName(unit, type);
  return name ? `${amount(value, unit)} ${name}` : amount(value, unit);
}

/** A length of time: 7 h 12 min, 42 min, 38 s. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–";
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`;
}

/** A length of time where there is little room: 7h 12m. */
export function shortDuration(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–";
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return `${Math.round(seconds)}s`;
  if (minutes < 60) return `${minutes}m`;
  return minutes % 60 ? `${Math.floor(minutes / 60)}h ${minutes % 60}m` : `${minutes / 60}h`;
}

/** A length of time as a clock shows it: 1:02:03. */
export function clock(seconds) {
  const all = Math.round(seconds);
  const [h, m, s] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const pad = (value) => String(value).padStart(2, "0");
  return h ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
}

const styles = {
  day: { weekday: "long", day: "numeric", month: "long" },
  short: { day: "numeric", month: "short" },
  weekday: { weekday: "short" },
  weekdayDay: { weekday: "short", day: "numeric", month: "short" },
  date: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "long", year: "numeric" },
  monthShort: { month: "short" },
  year: { year: "numeric" },
  time: { hour: "numeric", minute: "2-digit" },
  hour: { hour: "2-digit", hourCycle: "h23" },
  dateTime: { day: "numeric", month: "short", year: "numeric", hour: "numeric", minute: "2-digit" },
  moment: { weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit" },
  monthYear: { month: "short", year: "numeric" },
};

/** A date in one of the styles above. Accepts dates and ISO 8601. */
export function date(value, style = "date") {
  const zone = session.timeZone ?? undefined;
  const formatter = cached(
    `d${style}${zone}`,
    () => new Intl.DateTimeFormat(locale, { ...styles[style], timeZone: zone }),
  );
  return formatter.format(value instanceof Date ? value : new Date(value));
}

/** A range of dates, without repeating what both have in common. */
export function dateRange(start, end, style = "date") {
  const zone = session.timeZone ?? undefined;
  const formatter = cached(
    `d${style}${zone}`,
    () => new Intl.DateTimeFormat(locale, { ...styles[style], timeZone: zone }),
  );
  return formatter.formatRange(start, end);
}

/** How long ago something was: 3 minutes ago, yesterday. */
export function ago(value, now = Date.now()) {
  const seconds = (new Date(value).getTime() - now) / 1000;
  const formatter = cached("ago", () => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
  for (
    const [unit, length] of [["year", 31557600], ["month", 2629800], ["week", 604800], ["day", 86400], ["hour", 3600], [
      "minute",
      60,
    ]]
  ) {
    if (Math.abs(seconds) >= length) return formatter.format(Math.trunc(seconds / length), unit);
  }
  return "just now";
}
