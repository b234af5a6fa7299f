// One workout: its figures, route, heart rate with zones, and splits.

import * as api from "../app/api.js";
import { html, icon, put, svg } from "../app/dom.js";
import { clock, date, dateRange, duration, number, quantity, unitName } from "../app/format.js";
import { typeName, words, workoutIcon } from "../app/types.js";
import { color, LargeChart } from "../components/charts.js";
import { card, empty, failure, figures, head, skeleton } from "../components/cards.js";
import { plot } from "../components/plots.js";
import { routeMap } from "../components/route-map.js";

const zoneColors = [
  "var(--hearing)",
  "var(--mindfulness)",
  "var(--nutrition)",
  "var(--mobility)",
  "var(--heart)",
  "var(--body)",
];

export async function render({ main, path, signal }) {
  const uuid = path[0];
  put(
    main,
    head("Workout", { eyebrow: html("a", { href: "#/trends/workouts" }, icon("left", "small"), "Workouts") }),
    html("div.card", skeleton("title", "line", "block")),
  );
  const workout = await api.read(`workouts/${uuid}`);
  if (signal.aborted) return;
  const name = words(workout.workoutActivityTypeName);
  const route = card(
    "Route",
    { tone: "activity", symbol: workoutIcon(workout.workoutActivityTypeName) },
    skeleton("block"),
  );
  const heart = card("Heart rate", { tone: "heart", symbol: "heart" }, skeleton("block"));
  const zones = card("Heart-rate zones", { tone: "heart", symbol: "heart" }, skeleton("line", "line", "line"));
  const splits = card("Splits", { tone: "activity", symbol: "steps" }, skeleton("line", "line", "line"));
  const statistics = card(
    "Statistics",
    { tone: "activity", symbol: "trends", className: "wide" },
    skeleton("line", "line"),
  );
  put(
    main,
    head(name, { eyebrow: html("a", { href: "#/trends/workouts" }, icon("left", "small"), "Workouts") }),
    html(
      "div.stack",
      html(
        "section.card.activity",
        { "aria-label": "Summary" },
        html(
          "p.muted",
          `${date(workout.startDate, "day")}, ${
            dateRange(new Date(workout.startDate), new Date(workout.endDate), "time")
          } · ${workout.source}`,
        ),
        figures([
          ["Time", clock(workout.duration)],
          workout.totalDistance &&
          ["Distance", ...split(quantity(workout.totalDistance.quantity, workout.totalDistance.unit))],
          workout.totalEnergyBurned &&
          ["Active energy", number(workout.totalEnergyBurned.quantity), unitName(workout.totalEnergyBurned.unit)],
          pace(workout),
        ]),
      ),
      html("div.grid", route.element, heart.element, zones.element, splits.element, statistics.element),
    ),
  );
  const show = (box, work) =>
    work().catch((error) => {
      if (signal.aborted || error.name === "AbortError") return;
      box.show(error.status === 404 ? empty("None for this workout", "") : failure(error));
    });
  await Promise.all([
    show(route, () => showRoute(uuid, route, signal)),
    show(heart, () => showHeart(workout, heart, signal)),
    show(zones, () => showZones(uuid, zones, signal)),
    show(splits, () => showSplits(workout, splits, signal)),
    show(statistics, () => showStatistics(workout, statistics, signal)),
  ]);
}

const split = (text) => [text.slice(0, text.lastIndexOf(" ")), text.slice(text.lastIndexOf(" ") + 1)];

const mile = 1609.344;
const isMiles = (workout) => ["mi", "ft", "yd"].includes(workout.totalDistance?.unit);

function meters(distance) {
  return distance ? distance.quantity * ({ km: 1000, m: 1, mi: mile }[distance.unit] ?? 0) : 0;
}

function pace(workout) {
  const length = meters(workout.totalDistance);
  if (!(length > 0)) return null;
  if (/cycl|row|skat|ski/i.test(workout.workoutActivityTypeName)) {
    return isMiles(workout)
      ? ["Speed", number((length / workout.duration) * 2.236936, 1), "mph"]
      : ["Speed", number((length / workout.duration) * 3.6, 1), "km/h"];
  }
  if (/swim/i.test(workout.workoutActivityTypeName)) {
    return ["Pace", clock(workout.duration / (length / 100)), "/100 m"];
  }
  return isMiles(workout)
    ? ["Pace", clock(workout.duration / (length / mile)), "/mi"]
    : ["Pace", clock(workout.duration / (length / 1000)), "/km"];
}

async function showRoute(uuid, box, signal) {
  const { routes } = await api.read(`workouts/${uuid}/route`, { points: 250 });
  if (signal.aborted) return;
  const locations = routes.flatMap((route) => route.locations);
  if (locations.length < 2) {
    box.show(empty("No route", "Outdoor workouts of an Apple Watch have one."));
    return;
  }
  const speeds = locations.map((location) => location.speed ?? 0);
  const climb = locations.reduce(
    (
      sum,
      location,
      index,
    ) => (index ? sum + Math.max(0, (location.altitude ?? 0) - (locations[index - 1].altitude ?? 0)) : 0),
    0,
  );
  box.show(
    routeMap("The route, drawn without a map; north is up", locations, Math.max(...speeds) > 0 ? speeds : null),
    html(
      "ul.legend",
      html("li", html("span.dot.start"), "Start"),
      html("li", html("span.dot.finish"), "Finish"),
      Math.max(...speeds) > 0 && html("li", "Red is slow, green is fast"),
      climb > 1 && html("li", "Climb", html("b", `${number(climb)} m`)),
    ),
  );
}

async function showHeart(workout, box, signal) {
  const minutes = workout.duration / 60;
  const interval = minutes > 240 ? "5m" : "1m";
  const answer = await api.read("statistics/collection", {
    type: "heartRate",
    start: workout.startDate,
    end: workout.endDate,
    interval,
    options: "average,min,max",
  });
  if (signal.aborted) return;
  const rates = answer.statistics;
  if (!rates.length) {
    box.show(empty("No heart rate", "Workouts with an Apple Watch or a chest strap have one."));
    return;
  }
  const chart = new LargeChart({ height: "mid" });
  signal.addEventListener("abort", () => chart.destroy());
  const began = Date.parse(workout.startDate);
  const mean = rates.reduce((sum, rate) => sum + rate.averageQuantity, 0) / rates.length;
  const [low, high] = [
    Math.min(...rates.map((rate) => rate.minimumQuantity)),
    Math.max(...rates.map((rate) => rate.maximumQuantity)),
  ];
  box.show(
    figures([["Average", number(mean), "bpm"], ["Range", `${number(low)}–${number(high)}`, "bpm"]]),
    chart.element,
  );
  chart.show({
    labels: rates.map((rate) => `${Math.max(0, Math.round((Date.parse(rate.startDate) - began) / 60000))}`),
    sets: [{
      kind: "range",
      name: "Range",
      color: () => color("heart", 0.34),
      values: rates.map((rate) => [rate.minimumQuantity, rate.maximumQuantity]),
    }, {
      kind: "line",
      name: "Average",
      color: () => color("heart"),
      values: rates.map((rate) => rate.averageQuantity),
    }],
    format: (value, isAxis) => (isAxis ? number(value) : `${number(value)} bpm`),
    title: (index) => date(rates[index].startDate, "time"),
    label: `Heart rate by minute, on average ${number(mean)} bpm`,
  });
}

/** The time in each zone as bars that begin at the same place. */
function zoneRows(zones) {
  const longest = Math.max(...zones.map((zone) => zone.duration), 1);
  return html(
    "ul.stack.zones",
    zones.map((zone, index) => {
      const limits = zone.minimum === undefined || zone.minimum === null
        ? `below ${number(zone.maximum)}`
        : zone.maximum === undefined || zone.maximum === null
        ? `${number(zone.minimum)} and above`
        : `${number(zone.minimum)}–${number(zone.maximum)}`;
      return html(
        "li",
        html(
          "div.row.apart.small",
          html("span", html("b", `Zone ${zone.number ?? index + 1}`), html("span.muted", ` ${limits} bpm`)),
          html("b", duration(zone.duration)),
        ),
        plot(`Zone ${zone.number ?? index + 1}: ${duration(zone.duration)}`, 8, (picture, width) =>
          picture.append(
            svg("rect", { width, height: 8, rx: 4, fill: "var(--inset)" }),
            zone.duration > 0 &&
                svg("rect", {
                  width: Math.max(8, (width * zone.duration) / longest),
                  height: 8,
                  rx: 4,
                  fill: zoneColors[index % zoneColors.length],
                }) || "",
          )),
      );
    }),
  );
}

async function showZones(uuid, box, signal) {
  const answer = await api.read(`workouts/${uuid}/zones`);
  if (signal.aborted) return;
  const group =
    (answer.zoneGroups ?? []).find((candidate) =>
      !candidate.activity && candidate.quantityType.endsWith("HeartRate")
    ) ?? answer.heartRateZones ?? answer.zoneGroups?.[0];
  if (!group?.zones?.length) {
    box.show(
      empty(
        "No zones",
        "They need heart rate and a date of birth.",
        html("a.button.small", { href: "#/profile" }, "Open profile"),
      ),
    );
  } else box.show(zoneRows(group.zones));
}

async function showSplits(workout, box, signal) {
  const unit = isMiles(workout) ? "mi" : "km";
  const length = unit === "mi" ? mile : 1000;
  const answer = await api.read(`workouts/${workout.uuid}/splits`, { length: unit });
  if (signal.aborted) return;
  const list = answer.splits ?? [];
  if (!list.length) {
    const isMeasured = meters(workout.totalDistance) > 0;
    box.show(
      empty(
        "No splits",
        isMeasured
          ? "Less than three quarters of the distance was measured on the way."
          : "They need a route, or a distance measured on the way.",
      ),
    );
    return;
  }
  const fastest = Math.min(...list.filter((one) => one.isComplete !== false).map((one) => one.pace));
  box.show(
    html(
      "div.scroll",
      { tabindex: "0", role: "region", "aria-label": "Splits" },
      html(
        "table.table",
        html(
          "thead",
          html("tr", ["Split", "Time", "Pace", "Heart rate"].map((title) => html("th", { scope: "col" }, title))),
        ),
        html(
          "tbody",
          list.map((one) =>
            html(
              "tr",
              html(
                "td",
                one.isComplete === false ? `${number(one.meters / length, 2)} ${unit}` : `${one.number} ${unit}`,
              ),
              html("td", clock(one.duration)),
              html(
                "td",
                `${clock((one.pace * length) / 1000)} /${unit}`,
                one.pace === fastest && one.isComplete !== false && html("span.tag", "fastest"),
              ),
              html("td", one.averageHeartRate ? `${number(one.averageHeartRate)} bpm` : "–"),
            )
          ),
        ),
      ),
    ),
  );
}

async function showStatistics(workout, box, signal) {
  const { statistics } = await api.read(`workouts/${workout.uuid}/statistics`);
  if (signal.aborted) return;
  if (!statistics.length) {
    box.show(empty("No statistics", "This workout has no samples of its own."));
    return;
  }
  box.show(figures(
    statistics.flatMap((one) => {
      const name = typeName(one.type);
      if (one.unit === "m" && isMiles(workout)) return [[name, quantity(one.sumQuantity / mile, "mi", one.type)]];
      if (one.sumQuantity !== undefined) return [[name, quantity(one.sumQuantity, one.unit, one.type)]];
      return [
        [`${name}, average`, quantity(one.averageQuantity, one.unit, one.type)],
        one.maximumQuantity !== undefined && [`${name}, highest`, quantity(one.maximumQuantity, one.unit, one.type)],
      ];
    }),
    "roomy",
  ));
}
