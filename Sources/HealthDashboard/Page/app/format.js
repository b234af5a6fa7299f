// Numbers, units and dates as people read them. All dates are in the session's time zone.

import { session } from "./api.js";
import { dateOf, daysBetween, startOfYear } from "./calendar.js";
import { dateLocale, locale, localized, numberLocale, plural } from "./language.js";

const formatters = new Map();

function cached(key, make) {
  if (!formatters.has(key)) formatters.set(key, make());
  return formatters.get(key);
}

const numberFormat = (options) => cached(JSON.stringify(options), () => new Intl.NumberFormat(numberLocale, options));

/** A number with at most `maximumFractionDigits`: 1,234.5. */
export function number(value, maximumFractionDigits = 0) {
  if (!Number.isFinite(value)) return "–";
  // Not −0.
  return numberFormat({ maximumFractionDigits }).format(value === 0 ? 0 : value);
}

/** A number as people write it into a field: 1234,5 in German. */
export const numberText = (value) => numberFormat({ useGrouping: false, maximumFractionDigits: 3 }).format(value);

/** The number that people wrote: 1,5 as well as 1.5, and thousands as the language groups them. */
export function numberIn(text) {
  const plain = text.replace(/[\s’']/g, "");
  const group = numberFormat({}).formatToParts(12345).find(({ type }) => type === "group")?.value;
  const [, separator] = /^[1-9]\d{0,2}([.,])\d{3}$/.exec(plain) ?? [];
  if (separator && separator === group) return Number(plain.replace(separator, ""));
  // The last mark begins the fraction, unless it is there twice.
  const mark = [...plain].findLast((letter) => letter === "." || letter === ",");
  const isFraction = mark && plain.split(mark).length === 2;
  const whole = isFraction ? plain.slice(0, plain.indexOf(mark)) : plain;
  const fraction = isFraction ? `.${plain.slice(plain.indexOf(mark) + 1)}` : "";
  if (!/^-?\d*([.,]\d{3})*$/.test(whole) || whole + fraction === "") return NaN;
  return Number(whole.replace(/[.,]/g, "") + fraction);
}

/** A number of things: `count(2, "{count} sample", "{count} samples")`. */
export const count = (value, one, several) => plural(value, one, several, { count: number(value) });

/** A number with a sign that is always written. */
export function signed(value, maximumFractionDigits = 0) {
  return numberFormat({ maximumFractionDigits, signDisplay: "exceptZero" }).format(value).replace("-", "−");
}

/** A share as a percentage: 0.824 is 82%. */
export const percent = (share) => numberFormat({ style: "percent" }).format(share);

/** The name of an hour of the day beside an axis: 06 or, where clocks count to twelve, 6 AM. */
export function hourName(hour) {
  const parts = dateFormat("hour", "UTC").formatToParts(new Date(hour * 3600000));
  const isWhole = parts.some(({ type }) => type === "dayPeriod");
  return parts.filter(({ type }) => isWhole || type === "hour").map(({ value }) => value).join("");
}

/** A relative change as a percentage with its sign. */
export function signedPercent(share) {
  if (Math.abs(share) < 0.005) return percent(0);
  return share > 0 ? `+${percent(share)}` : percent(share).replace("-", "−");
}

/** Units of HealthKit as they are written for people. Others are shown as they are. */
const unitNames = {
  "count": "",
  "count/min": localized("bpm"),
  "Cal": "kcal",
  "hr": localized("h"),
  "min": localized("min"),
  "s": localized("s"),
  "mcg": "µg",
  "mcS": "µS",
  "appleEffortScore": "",
  "fl_oz_us": "fl oz",
  "L": localized("L"),
  "mL": localized("mL"),
  "degC": "°C",
  "degF": "°F",
  "dBASPL": "dB",
  "dBHL": "dB HL",
  "km/hr": "km/h",
  "mi/hr": "mph",
  "kcal/hr·kg": localized("METs"),
  "kcal/(kg*hr)": localized("METs"),
};

/** The name of a unit; `type` distinguishes breaths from heart beats. */
export function unitName(unit, type = "") {
  if (unit === "count/min" && type.endsWith("RespiratoryRate")) return localized("br/min");
  if (unit === "count/min" && /Cadence/.test(type)) return localized("rpm");
  if (/mL\/\(?(kg|min)/.test(unit)) return `${localized("mL")}/min/kg`;
  if (/^mmol/.test(unit)) return "mmol/L";
  return unitNames[unit] ?? unit;
}

const unitsWithOneDigit = new Set(["kg", "lb", "st", "g", "L", "degC", "degF", "m/s", "km/hr", "mi/hr"]);

/** How many fraction digits a value of a unit deserves, and of some types more. */
function digits(unit, value, type) {
  const size = Math.abs(value);
  if (type.endsWith("BodyMassIndex")) return 1;
  if (type.endsWith("BloodAlcoholContent")) return 3;
  if (unit === "m" && size < 10) return 2;
  if (unit === "%" || /mL\/|mmol|kcal\//.test(unit)) return 1;
  if (unit === "km" || unit === "mi") return size >= 1000 ? 0 : 2;
  if (unitsWithOneDigit.has(unit)) return size >= 1000 ? 0 : 1;
  return size < 10 && unit !== "min" && unit !== "count/min" ? 1 : 0;
}

/** A value for people: HealthKit's percent is a share from 0 to 1. */
export function scaled(value, unit) {
  return unit === "%" ? value * 100 : value;
}

/** How many fraction digits write the steps between values: 2 for 0.25. */
function digitsOfStep(values) {
  const steps = values.slice(1).map((value, index) => Math.abs(value - values[index])).filter((step) => step > 0);
  const step = Math.min(...steps, 1);
  const isWhole = (value) => Math.abs(value - Math.round(value)) < 1e-6;
  return [0, 1, 2, 3, 4].find((digits) => isWhole(step * 10 ** digits)) ?? 5;
}

/** Whether values of a unit are written as lengths of time. */
const isInHours = (unit) => unit === "hr";

/** The texts beside the ticks of an axis: as precise as their step, all in one form, the highest with the unit. */
export function axisTexts(values, unit, type) {
  if (isInHours(unit)) return axisDurations(values);
  const shown = values.map((value) => scaled(value, unit));
  const highest = Math.max(...shown.map(Math.abs));
  const scale = highest >= 1e6 ? 1e6 : 1000;
  const compact = { notation: "compact", useGrouping: true };
  const options = highest >= 10000
    ? { ...compact, maximumFractionDigits: digitsOfStep(shown.map((value) => value / scale)) }
    : { maximumFractionDigits: digitsOfStep(shown) };
  const name = unitName(unit, type);
  const top = shown.indexOf(Math.max(...shown));
  return shown.map((value, index) => {
    const text = numberFormat(options).format(value === 0 ? 0 : value);
    return name && (index === top || unit === "%") ? `${text}${unit === "%" ? "" : " "}${name}` : text;
  });
}

/** The texts beside the ticks of an axis of hours: minutes below one hour. */
export function axisDurations(hours) {
  if (Math.max(...hours) < 1) return axisTexts(hours.map((value) => value * 60), "min");
  const digits = digitsOfStep(hours);
  return hours.map((value) => `${number(value, digits)} ${localized("h")}`);
}

/** The text of a value without its unit. */
export function amount(value, unit, type = "") {
  const shown = scaled(value, unit);
  return number(shown, digits(unit, shown, type));
}

/** A value without and with its unit, as people write them. Long distances in meters are written in kilometers. */
export function amountAndUnit(value, unit, type) {
  if (unit === "m" && Math.abs(value) >= 1000) return amountAndUnit(value / 1000, "km", type);
  if (isInHours(unit)) return [duration(value * 3600), ""];
  return [amount(value, unit, type), unitName(unit, type)];
}

/** A range without and with its unit: 52–146 bpm; one value if both ends are written the same. */
export function rangeAndUnit([low, high], unit, type) {
  const write = isInHours(unit) ? (value) => duration(value * 3600) : (value) => amount(value, unit, type);
  const ends = [...new Set([write(low), write(high)])];
  return [ends.join("–"), isInHours(unit) ? "" : unitName(unit, type)];
}

/** A range with its unit, as text. */
export const rangeText = (range, unit, type) => rangeAndUnit(range, unit, type).filter(Boolean).join(" ");

/** A quantity with its unit, as text. */
export function quantity(value, unit, type) {
  return amountAndUnit(value, unit, type).filter(Boolean).join(" ");
}

/** A length of time: 7 h 12 min, 42 min, 38 s. */
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 60) return `${Math.round(seconds)} ${localized("s")}`;
  const [hours, minutes] = [Math.floor(Math.round(seconds / 60) / 60), Math.round(seconds / 60) % 60];
  const parts = [hours > 0 && `${hours} ${localized("h")}`, minutes > 0 && `${minutes} ${localized("min")}`];
  return parts.filter(Boolean).join(" ");
}

/** A length of time as a clock shows it: 1:02:03. */
export function clock(seconds) {
  const all = Math.round(seconds);
  const twoDigits = (value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor(all / 60) % 60];
  const rest = twoDigits(all % 60);
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`;
}

const paceUnits = { "s/km": "/km", "s/mi": "/mi", "s/hm": "/100 m" };

/** The unit of a pace, which a clock shows. */
export const paceUnit = (unit) => paceUnits[unit] ?? unit;

const styles = {
  day: { weekday: "long", day: "numeric", month: "long" },
  short: { day: "numeric", month: "short" },
  weekday: { weekday: "short" },
  weekdayLong: { weekday: "long" },
  weekdayDay: { weekday: "short", day: "numeric", month: "short" },
  date: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "long", year: "numeric" },
  monthShort: { month: "short" },
  time: { hour: "numeric", minute: "2-digit" },
  moment: { weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit" },
  monthYear: { month: "short", year: "numeric" },
  hour: { hour: "numeric" },
  dayOfYear: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  exact: {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
  },
  momentOfYear: { day: "numeric", month: "short", year: "numeric", hour: "numeric", minute: "2-digit" },
};
const stylesOfOtherYears = { day: "dayOfYear", moment: "momentOfYear" };

function dateFormat(style, timeZone = session.timeZone ?? undefined) {
  return cached(`${style} ${timeZone}`, () => new Intl.DateTimeFormat(dateLocale, { ...styles[style], timeZone }));
}

/** A date in one of the styles above; days and moments of another year have it. Accepts dates and ISO 8601. */
export function date(value, style = "date") {
  const moment = new Date(value);
  const other = stylesOfOtherYears[style];
  const isOther = other && startOfYear(dateOf(moment)) !== startOfYear(dateOf());
  return dateFormat(isOther ? other : style).format(moment);
}

/** A range of dates, without repeating what both have in common. */
export const dateRange = (start, end, style = "date") => dateFormat(style).formatRange(start, end);

/** Names in a sentence: Steps, Weight, and Sleep. */
export const list = (names) =>
  cached("list", () => new Intl.ListFormat(locale, { style: "long", type: "conjunction" })).format(names);

/** A time of day in seconds after midnight. */
export function timeOfDay(seconds) {
  return seconds === undefined ? "–" : dateFormat("time", "UTC").format(new Date(seconds * 1000));
}

const relative = (count, unit) =>
  cached("ago", () => new Intl.RelativeTimeFormat(locale, { numeric: "auto" })).format(count, unit);

/** How many days ago a date was, as people count days: yesterday, 9 days ago, 2 months ago. */
export function daysAgo(day, today = dateOf()) {
  const days = daysBetween(today, day);
  const size = Math.abs(days);
  if (size < 14) return relative(days, "day");
  if (size < 60) return relative(Math.trunc(days / 7), "week");
  return size < 730 ? relative(Math.trunc(days / 30.44), "month") : relative(Math.trunc(days / 365.25), "year");
}

/** How long ago something was: 3 minutes ago on the same day, and otherwise by the days of the calendar. */
export function ago(value, now = Date.now()) {
  const moment = new Date(value);
  const seconds = (moment.getTime() - now) / 1000;
  const [day, today] = [dateOf(moment), dateOf(new Date(now))];
  if (day !== today && Math.abs(seconds) >= 3600) return daysAgo(day, today);
  if (Math.abs(seconds) < 60) return localized("just now");
  return Math.abs(seconds) < 3600
    ? relative(Math.trunc(seconds / 60), "minute")
    : relative(Math.trunc(seconds / 3600), "hour");
}
