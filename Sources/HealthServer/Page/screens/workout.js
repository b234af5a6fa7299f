// One workout: its figures, route, heart rate with zones, splits and statistics.

import * as api from "../app/api.js";
import { html, put, svg } from "../app/dom.js";
import { amountAndUnit, axisTexts, clock, date, dateRange, duration } from "../app/format.js";
import { number, quantity, unitName } from "../app/format.js";
import { localized } from "../app/language.js";
import { typeName, words, workoutIcon } from "../app/types.js";
import { backLink, card, empty, figures, head, quantityFigure, scrollArea, skeleton } from "../components/cards.js";
import { workoutFiles } from "../components/workout-files.js";
import { color, LargeChart } from "../components/charts.js";
import { plot, round } from "../components/plots.js";
import { routeMap } from "../components/route-map.js";

const routePoints = 250;
const zoneTones = ["hearing", "mindfulness", "nutrition", "mobility", "heart", "body"];

export async function render({ main, path: [uuid], signal }) {
  const eyebrow = backLink("trends/workouts", "Workouts");
  put(main, head("Workout", { eyebrow }), html("div.card", skeleton("title", "line", "block")));
  const workout = await api.read(`workouts/${uuid}`, { points: routePoints });
  if (signal.aborted) return;
  const chart = new LargeChart({ height: "mid" });
  signal.addEventListener("abort", () => chart.destroy());
  const name = workout.workoutActivityTypeName;
  const symbol = workoutIcon(name);
  const cards = [
    hasRoute(workout) && card("Route", { tone: "activity", symbol }, routeContent(workout)),
    card("Heart rate", { tone: "heart", symbol: "heart" }, heartContent(workout, chart)),
    card("Heart-rate zones", { tone: "heart", symbol: "heart" }, zonesContent(workout.zones)),
    isAboutDistance(workout) && card("Splits", { tone: "activity", symbol: "steps" }, splitsContent(workout)),
    card("Statistics", { tone: "activity", symbol: "trends", className: "wide" }, statisticsContent(workout)),
    card(localized("Export"), { symbol: "download" }, workoutFiles(uuid, { hasRoute: hasRoute(workout) })),
  ].filter(Boolean);
  put(
    main,
    head(words(name), { eyebrow }),
    html("div.stack", summary(workout), html("div.grid", cards.map(({ element }) => element))),
  );
  if (workout.heartRates.length > 0) showHeart(chart, workout);
}

function summary({ startDate, endDate, source, ...workout }) {
  const times = dateRange(new Date(startDate), new Date(endDate), "time");
  return html(
    "section.card.activity",
    { "aria-label": "Summary" },
    html("p.muted", `${date(startDate, "day")}, ${times} · ${source}`),
    figures([
      ["Time", clock(workout.duration)],
      workout.totalDistance && quantityFigure("Distance", workout.totalDistance),
      workout.totalEnergyBurned && quantityFigure("Active energy", workout.totalEnergyBurned),
      workout.speed && paceFigure(workout),
    ]),
  );
}

const locationsOf = ({ routes = [] }) => routes.flatMap((route) => route.locations);
const hasRoute = (workout) => locationsOf(workout).length > 1;
const isAboutDistance = (workout) => workout.speed !== undefined || hasRoute(workout);

/** Wheels, oars and skis have a speed, feet and arms a pace. */
function paceFigure({ pace, speed }) {
  if (!pace) return quantityFigure("Speed", speed);
  return ["Pace", clock(pace.quantity), paceUnit(pace.unit)];
}

const paceUnits = { "s/km": "/km", "s/mi": "/mi", "s/hm": "/100 m" };
const paceUnit = (unit) => paceUnits[unit] ?? unit;

// Route

function routeContent({ elevationAscended, ...workout }) {
  const locations = locationsOf(workout);
  const speeds = locations.map((location) => location.speed ?? 0);
  const hasSpeeds = speeds.some((speed) => speed > 0);
  const legend = [
    html("li", html("span.dot.start"), "Start"),
    html("li", html("span.dot.finish"), "Finish"),
    hasSpeeds && html("li", "Red is slow, green is fast"),
    elevationAscended && html("li", "Climb", html("b", quantity(elevationAscended.quantity, elevationAscended.unit))),
  ];
  return [
    routeMap("The route, drawn without a map; north is up", locations, hasSpeeds ? speeds : null),
    html("ul.legend", legend),
  ];
}

// Heart rate and its zones

function heartContent({ heartRates, hasAllHeartRates, ...workout }, chart) {
  const { averageHeartRate, minimumHeartRate, maximumHeartRate } = workout;
  if (heartRates.length === 0) {
    return empty("No heart rate", "Workouts with an Apple Watch or a chest strap have one.");
  }
  const range = `${number(minimumHeartRate)}–${number(maximumHeartRate)}`;
  return [
    figures([["Average", number(averageHeartRate), "bpm"], ["Range", range, "bpm"]]),
    chart.element,
    hasAllHeartRates === false && html(
      "p.muted.small",
      "The average and the range are those that the workout recorded. The samples in the store have others.",
    ),
  ];
}

/** Lines between samples over the time of the workout; where none is known, there is no line. */
function showHeart(chart, { startDate, endDate, heartRates, averageHeartRate }) {
  const start = Date.parse(startDate);
  const minutes = (time) => (Date.parse(time) - start) / 60000;
  const points = heartRates.flatMap((rate, index) => {
    const point = { time: minutes(rate.startDate), value: rate.value, rate };
    if (!rate.precededByGap) return [point];
    return [{ time: (minutes(heartRates[index - 1].endDate) + point.time) / 2, value: null }, point];
  });
  points.push({ time: minutes(endDate), value: null });
  const values = heartRates.map(({ value }) => value);
  const range = [Math.min(...values), Math.max(...values)];
  chart.show({
    labels: [],
    times: points.map(({ time }) => time),
    timeText: (minute) => `${number(minute)} min`,
    sets: [{ kind: "line", name: "Heart rate", color: () => color("heart"), values: points.map(({ value }) => value) }],
    format: (value) => `${number(value)} bpm`,
    axis: (values) => axisTexts(values, "count/min"),
    title: (index) => points[index].rate ? date(points[index].rate.startDate, "time") : "",
    label: `Heart rate during the workout from ${range.map((value) => number(value)).join(" to ")} bpm, on average ${
      number(averageHeartRate)
    }`,
  });
}

/** The time in each zone as bars that begin at the same place. */
function zonesContent({ zones = [] } = {}) {
  if (zones.length === 0) {
    const link = html("a.button.small", { href: "#/profile" }, "Open profile");
    return empty("No zones", "They need heart rate and a date of birth.", link);
  }
  const longest = Math.max(...zones.map((zone) => zone.duration), 1);
  return html(
    "ul.stack.zones",
    zones.map((zone, index) => zoneRow(zone, zoneTones[index % zoneTones.length], longest)),
  );
}

function zoneRow({ number: name, minimum, maximum, duration: seconds }, tone, longest) {
  const draw = (picture, width) => {
    picture.append(svg("rect.track", { width, height: 8, rx: 4 }));
    const length = round(Math.max(8, (width * seconds) / longest));
    if (seconds > 0) picture.append(svg("rect.bar", { class: tone, width: length, height: 8, rx: 4 }));
  };
  return html(
    "li",
    html(
      "div.row.apart.small",
      html("span", html("b", `Zone ${name}`), html("span.muted", ` ${zoneLimits(minimum, maximum)} bpm`)),
      html("b", duration(seconds)),
    ),
    plot(`Zone ${name}: ${duration(seconds)}`, 8, draw),
  );
}

function zoneLimits(minimum, maximum) {
  if (minimum === undefined) return `below ${number(maximum)}`;
  if (maximum === undefined) return `${number(minimum)} and above`;
  return `${number(minimum)}–${number(maximum)}`;
}

// Splits and statistics

function splitsContent({ splits = [], totalDistance }) {
  if (splits.length === 0) {
    const reason = totalDistance
      ? "Less than three quarters of the distance was measured during the workout."
      : "They need a route, or a distance measured during the workout.";
    return empty("No splits", reason);
  }
  const titles = ["Split", "Time", "Pace", "Heart rate"].map((title) => html("th", { scope: "col" }, title));
  const table = html(
    "table.table",
    html("thead", html("tr", titles)),
    html("tbody", splits.map(splitRow)),
  );
  return scrollArea("Splits", table);
}

function splitRow({ number: name, distance, duration: seconds, pace, isComplete, isFastest, averageHeartRate }) {
  const length = isComplete ? `${name} ${unitName(distance.unit)}` : quantity(distance.quantity, distance.unit);
  return html(
    "tr",
    html("td", length),
    html("td", clock(seconds)),
    html("td", `${clock(pace.quantity)} ${paceUnit(pace.unit)}`, isFastest && html("span.tag", "fastest")),
    html("td", averageHeartRate ? `${number(averageHeartRate)} bpm` : "–"),
  );
}

function statisticsContent({ statistics }) {
  if (statistics.length === 0) return empty("No statistics", "This workout has no samples of its own.");
  return figures(statistics.flatMap(statisticFigures), "roomy");
}

function statisticFigures({ type, unit, sumQuantity, averageQuantity, maximumQuantity }) {
  const name = typeName(type);
  const entry = (title, value) => [title, ...amountAndUnit(value, unit, type)];
  if (sumQuantity !== undefined) return [entry(name, sumQuantity)];
  return [
    entry(`${name}, average`, averageQuantity),
    maximumQuantity !== undefined && entry(`${name}, highest`, maximumQuantity),
  ];
}
