// One workout: its figures, route, course over time, heart rate with zones, laps, splits, and earlier ones.

import * as api from "../app/api.js";
import { dateOf } from "../app/calendar.js";
import { html, put, svg } from "../app/dom.js";
import { amountAndUnit, clock, date, dateRange, duration, number, paceUnit, quantity } from "../app/format.js";
import { rangeAndUnit, unitName } from "../app/format.js";
import { localized, plural } from "../app/language.js";
import { typeName, words, workoutIcon } from "../app/types.js";
import { backLink, card, empty, figures, head, nothingYet, quantityFigure } from "../components/cards.js";
import { iconButton, scrollArea, skeleton } from "../components/cards.js";
import { correctWorkout } from "../components/correct-workout.js";
import { courseCharts } from "../components/course.js";
import { workoutFiles } from "../components/workout-files.js";
import { plot, round } from "../components/plots.js";
import { dayLink } from "../components/ring-day.js";
import { routeMap } from "../components/route-map.js";
import { table } from "../components/value-table.js";

const routePoints = 250;
const curvePoints = 200;
const comparedWorkouts = 5;
const zoneTones = ["hearing", "mindfulness", "nutrition", "mobility", "heart", "body"];
const bpm = unitName("count/min");
const onFoot = new Set(["walking", "running", "hiking"]);

export async function render({ main, path: [uuid], signal }) {
  const eyebrow = backLink("trends/workouts", localized("Workouts"));
  put(main, head(localized("Workout"), { eyebrow }), html("div.card", skeleton("title", "line", "block")));
  const parameters = { points: routePoints, curves: curvePoints, compare: comparedWorkouts };
  const workout = await api.read(`workouts/${uuid}`, parameters);
  if (signal.aborted) return;
  const name = workout.workoutActivityTypeName;
  const symbol = workoutIcon(name);
  const route = hasRoute(workout) ? drawnRoute(workout) : null;
  const wide = { tone: "activity", symbol, className: "wide" };
  const { curves = [], laps = [], legs = [], sets = [], earlier } = workout;
  const cards = [
    route && card(localized("Route"), wide, route.content),
    curves.length > 0 && card(localized("Course"), { ...wide, symbol: "trends" }, courseContent(workout, route)),
    card(
      localized("Heart rate"),
      { tone: "heart", symbol: "heart", className: isAboutDistance(workout) ? "" : "wide" },
      heartContent(workout),
    ),
    isAboutDistance(workout) &&
    card(localized("Splits"), { tone: "activity", symbol: "steps" }, splitsContent(workout)),
    legs.length > 0 && card(localized("Sports"), wide, legsContent(legs)),
    sets.length > 0 && card(localized("Sets"), wide, setsContent(sets)),
    laps.length > 1 && card(localized("Laps"), wide, lapsContent(laps)),
    earlier?.count > 0 && card(localized("Compared"), { ...wide, symbol: "trends" }, comparedContent(workout)),
    card(localized("Statistics"), { ...wide, symbol: "trends" }, statisticsContent(workout)),
    card(
      localized("Export"),
      { symbol: "download", className: "wide" },
      workoutFiles(uuid, { hasRoute: route !== null }),
    ),
  ].filter(Boolean);
  put(
    main,
    head(words(name), { eyebrow, actions: mayCorrect() ? [correctButton(workout)] : [] }),
    html("div.stack", summary(workout), html("div.grid", cards.map(({ element }) => element))),
  );
}

const mayCorrect = () => api.session.isOwner && !api.session.isDemo;

function correctButton(workout) {
  const corrected = (uuid) => {
    location.hash = `#/trends/workout/${uuid}`;
  };
  return iconButton("edit", localized("Correct workout"), () => correctWorkout(workout, corrected));
}

function summary({ startDate, endDate, source, title, ...workout }) {
  const times = dateRange(new Date(startDate), new Date(endDate), "time");
  return html(
    "section.card.activity",
    { "aria-label": localized("Summary") },
    title && html("h2", title),
    html("p.muted", dayLink(dateOf(new Date(startDate)), {}, date(startDate, "day")), `, ${times} · ${source}`),
    figures([
      [localized("Time"), clock(workout.duration)],
      workout.totalDistance && quantityFigure(localized("Distance"), workout.totalDistance),
      workout.totalEnergyBurned && quantityFigure(localized("Active energy"), workout.totalEnergyBurned),
      workout.speed && paceFigure(workout),
      workout.averageHeartRate && [localized("Heart rate"), number(workout.averageHeartRate), bpm],
      workout.trainingLoad !== undefined && [localized("Training load"), number(workout.trainingLoad)],
    ]),
  );
}

const locationsOf = ({ routes = [] }) => routes.flatMap((route) => route.locations);
const hasRoute = (workout) => locationsOf(workout).length > 1;
const isAboutDistance = (workout) => workout.speed !== undefined || hasRoute(workout);

/** Wheels, oars and skis have a speed, feet and arms a pace. */
function paceFigure({ pace, speed }) {
  if (!pace) return quantityFigure(localized("Speed"), speed);
  return [localized("Pace"), clock(pace.quantity), paceUnit(pace.unit)];
}

// Route

/** The route with its legend, and `mark(time)`, which shows where the cursor of the course is. */
function drawnRoute({ elevationAscended, lengthUnit, startDate, ...workout }) {
  const locations = locationsOf(workout);
  const speeds = locations.map((location) => location.speed ?? 0);
  const hasSpeeds = speeds.some((speed) => speed > 0);
  const heights = locations.map(({ altitude }) => altitude).filter((altitude) => altitude !== undefined);
  const legend = [
    html("li", html("span.dot.start"), localized("Start")),
    html("li", html("span.dot.finish"), localized("Finish")),
    hasSpeeds && html("li", localized("Red is slow, green is fast")),
    elevationAscended &&
    html("li", localized("Climb"), html("b", quantity(elevationAscended.quantity, elevationAscended.unit))),
  ];
  const label = heights.length > 0
    ? localized("The route with its elevation below; north is up")
    : localized("The route; north is up");
  const { element, mark } = routeMap(label, locations, { speeds: hasSpeeds ? speeds : null, lengthUnit });
  const times = locations.map(({ timestamp }) => (Date.parse(timestamp) - Date.parse(startDate)) / 1000);
  return {
    content: [element, html("ul.legend", legend)],
    mark: (time) => mark(time === undefined ? -1 : times.findIndex((one) => one >= time)),
  };
}

// The course over time

function courseContent({ curves, startDate, endDate, workoutActivityTypeName: name }, route) {
  const seconds = (Date.parse(endDate) - Date.parse(startDate)) / 1000;
  return courseCharts(curves, seconds, { isOnFoot: onFoot.has(name), onmove: (time) => route?.mark(time) });
}

// Heart rate and its zones

function heartContent({ heartRates, hasAllHeartRates, zones, ...workout }) {
  const { averageHeartRate, minimumHeartRate, maximumHeartRate } = workout;
  if (heartRates.length === 0) {
    const advice = localized("Workouts with an Apple Watch or a chest strap have one.");
    return nothingYet(localized("No heart rate"), advice);
  }
  const range = rangeAndUnit([minimumHeartRate, maximumHeartRate], "count/min");
  return [
    figures([[localized("Average"), number(averageHeartRate), bpm], [localized("Range"), ...range]]),
    hasAllHeartRates === false && html(
      "p.muted.small",
      localized("The average and the range are those that the workout recorded. The samples in the store have others."),
    ),
    html("h3", localized("Heart-rate zones")),
    zonesContent(zones),
  ];
}

/** The time in each zone as bars that begin at the same place. */
function zonesContent({ zones = [] } = {}) {
  if (zones.length === 0) {
    const link = html("a.button.small", { href: "#/profile" }, localized("Open profile"));
    return nothingYet(localized("No zones"), localized("They need heart rate and a date of birth."), link);
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
  const title = localized("Zone {name}", { name });
  return html(
    "li",
    html(
      "div.row.apart.small",
      html(
        "span",
        html("b", localized("Zone {name}", { name })),
        html("span.muted", ` ${zoneLimits(minimum, maximum)} ${bpm}`),
      ),
      html("b", duration(seconds)),
    ),
    plot(`${localized("Zone {name}", { name })}: ${duration(seconds)}`, 8, draw),
  );
}

function zoneLimits(minimum, maximum) {
  if (minimum === undefined) return localized("below {limit}", { limit: number(maximum) });
  if (maximum === undefined) return localized("{limit} and above", { limit: number(minimum) });
  return `${number(minimum)}–${number(maximum)}`;
}

// Laps and earlier workouts

const none = "–";
const paceText = ({ pace, speed }) => {
  if (pace) return `${clock(pace.quantity)} ${paceUnit(pace.unit)}`;
  return speed ? quantity(speed.quantity, speed.unit) : none;
};
const rateText = (rate) => rate === undefined ? none : `${number(rate)} ${bpm}`;
const lengthText = (length) => length ? quantity(length.quantity, length.unit) : none;

/** A table of laps or workouts that `lead` names, with the columns for which one of them has a value. */
function measured(caption, name, lead, all) {
  const columns = [
    [localized("Time"), ({ duration: seconds }) => clock(seconds)],
    [localized("Distance"), ({ totalDistance, distance = totalDistance }) => lengthText(distance)],
    [all.some(({ pace }) => pace) ? localized("Pace") : localized("Speed"), paceText],
    [localized("Heart rate"), ({ averageHeartRate: rate }) => rateText(rate)],
  ].filter(([, text]) => all.some((one) => text(one) !== none));
  const rows = all.map((one) => [lead(one), ...columns.map(([, text]) => text(one))]);
  return table(caption, [name, ...columns.map(([title]) => title)], rows);
}

function lapsContent(laps) {
  const lead = (lap) => number(lap.number);
  return scrollArea(localized("All laps"), measured(localized("Laps"), localized("Lap"), lead, laps));
}

/** The sets of a strength workout, with the columns for which one of them has a value. */
function setsContent(sets) {
  const columns = [
    [localized("Movement"), ({ exercise = none }) => exercise],
    [localized("Repetitions"), ({ repetitions }) => repetitions === undefined ? none : number(repetitions)],
    [localized("Weight"), ({ weight }) => weight === undefined ? none : quantity(weight, "kg")],
    [localized("Time"), ({ duration: seconds }) => clock(seconds)],
  ].filter(([, text]) => sets.some((one) => text(one) !== none));
  const rows = sets.map((one) => [number(one.number), ...columns.map(([, text]) => text(one))]);
  const names = [localized("Set"), ...columns.map(([title]) => title)];
  return scrollArea(localized("All sets"), table(localized("Sets"), names, rows));
}

/** The legs of a triathlon or another multisport workout. */
function legsContent(legs) {
  const lead = (leg) => words(leg.workoutActivityTypeName);
  return scrollArea(localized("All sports"), measured(localized("Sports"), localized("Sport"), lead, legs));
}

function comparedContent({ earlier, ...workout }) {
  const name = words(workout.workoutActivityTypeName);
  const lead = (one) =>
    one === workout
      ? html("b", localized("This one"))
      : html("a", { href: `#/trends/workout/${one.uuid}` }, date(one.startDate, "date"));
  const caption = localized("Workouts of the same kind");
  return [
    html("p.muted", plural(
      earlier.count,
      "{activity}: this one beside the one before",
      "{activity}: the average of the {count} before this one",
      { activity: name, count: number(earlier.count) },
    )),
    figures([
      changeFigure(localized("Time"), clock(earlier.averageDuration), earlier.durationChange, clock),
      earlier.averageDistance && changeFigure(
        localized("Distance"),
        lengthText(earlier.averageDistance),
        earlier.distanceChange?.quantity,
        (value) => quantity(value, earlier.averageDistance.unit),
      ),
      earlier.averagePace
        ? changeFigure(
          localized("Pace"),
          paceText({ pace: earlier.averagePace }),
          earlier.paceChange?.quantity,
          clock,
        )
        : earlier.averageSpeed && changeFigure(
          localized("Speed"),
          lengthText(earlier.averageSpeed),
          earlier.speedChange?.quantity,
          (value) => quantity(value, earlier.averageSpeed.unit),
        ),
      earlier.averageHeartRate &&
      changeFigure(localized("Heart rate"), rateText(earlier.averageHeartRate), earlier.heartRateChange, (value) =>
        number(value)),
    ], "worded"),
    scrollArea(caption, measured(caption, localized("Workout"), lead, [workout, ...earlier.workouts])),
  ];
}

/** An average of earlier workouts, with how much more or less this one has. */
function changeFigure(name, average, change, write) {
  if (change === undefined) return [name, average];
  const text = write(Math.abs(change));
  const sign = change < 0 ? "−" : "+";
  return [name, average, `${text === write(0) ? "±" : sign}${text}`];
}

// Splits and statistics

function splitsContent({ splits = [], totalDistance }) {
  if (splits.length === 0) {
    const reason = totalDistance
      ? localized("Less than three quarters of the distance was measured during the workout.")
      : localized("They need a route, or a distance measured during the workout.");
    return empty(localized("No splits"), reason);
  }
  const rate = splits.some(({ pace }) => pace) ? localized("Pace") : localized("Speed");
  const names = [localized("Split"), localized("Time"), rate, localized("Heart rate")];
  const titles = names.map((title) => html("th", { scope: "col" }, title));
  const splitsTable = html(
    "table.table",
    html("thead", html("tr", titles)),
    html("tbody", splits.map(splitRow)),
  );
  return scrollArea(localized("All splits"), splitsTable);
}

function splitRow(split) {
  const { number: name, distance, duration: seconds, isComplete, isFastest, averageHeartRate } = split;
  const sport = split.workoutActivityTypeName ? `${words(split.workoutActivityTypeName)}, ` : "";
  const length = isComplete ? `${name} ${unitName(distance.unit)}` : quantity(distance.quantity, distance.unit);
  return html(
    "tr",
    html("td", sport + length),
    html("td", clock(seconds)),
    html("td", paceText(split), isFastest && html("span.tag", localized("fastest"))),
    html("td", averageHeartRate ? `${number(averageHeartRate)} ${bpm}` : "–"),
  );
}

function statisticsContent({ statistics }) {
  if (statistics.length === 0) {
    return empty(localized("No statistics"), localized("This workout has no samples of its own."));
  }
  return figures(statistics.flatMap(statisticFigures), "roomy");
}

function statisticFigures({ type, unit, sumQuantity, averageQuantity, maximumQuantity }) {
  const name = typeName(type);
  const entry = (title, value) => [title, ...amountAndUnit(value, unit, type)];
  if (sumQuantity !== undefined) return [entry(name, sumQuantity)];
  return [
    entry(localized("{type}, average", { type: name }), averageQuantity),
    maximumQuantity !== undefined && entry(localized("{type}, highest", { type: name }), maximumQuantity),
  ];
}
