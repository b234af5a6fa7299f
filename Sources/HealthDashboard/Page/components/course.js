// How a workout went: pace, heart rate, elevation, power and cadence above each other, with one cursor through all.

import { svg } from "../app/dom.js";
import { amount, axisTexts, clock, number, paceUnit, unitName } from "../app/format.js";
import { localized } from "../app/language.js";
import { addCursor } from "./cursor.js";
import { plot, round } from "./plots.js";
import { valueTable } from "./value-table.js";

const band = 116;
const bandTop = 26;
const bandBottom = 12;
const right = 62;
const axisHeight = 22;
/** The room that a time on the axis takes. */
const timeWidth = 56;
/** The places where the cursor stops. */
const stops = 180;
const mostRows = 60;
/** The number of seconds for which a point is valid, if no other is closer. */
const hold = 45;
/** Paces that are slower than so many averages would make all others one line. */
const slowest = 2;

const looks = {
  pace: { name: localized("Pace"), tone: "activity", isInverted: true },
  speed: { name: localized("Speed"), tone: "activity" },
  heartRate: { name: localized("Heart rate"), tone: "heart" },
  elevation: { name: localized("Elevation"), tone: "mobility", isArea: true },
  power: { name: localized("Power"), tone: "body" },
  cadence: { name: localized("Cadence"), tone: "respiratory" },
};

/** The unit of a curve for people: steps and revolutions aren't heartbeats. */
function unitOf({ figure, unit }, isOnFoot) {
  if (figure === "pace") return paceUnit(unit);
  if (figure === "cadence") {
    return isOnFoot ? localized("steps/min") : unitName("count/min", "HKQuantityTypeIdentifierCyclingCadence");
  }
  return unitName(unit);
}

const valueOf = ({ figure, unit }, value) => figure === "pace" ? clock(value) : amount(value, unit);

/**
 * The element with all curves of a workout of `seconds`. `onmove(time)` hears where the cursor is, in seconds since the
 * start; `undefined` when it leaves.
 */
export function courseCharts(curves, seconds, { isOnFoot = false, onmove = () => {} } = {}) {
  const bands = curves.map((curve, index) => new Band(curve, index * band, isOnFoot));
  const height = curves.length * band + axisHeight;
  const mark = svg("line.mark", { y1: 4, y2: height - axisHeight, visibility: "hidden" });
  const times = Array.from({ length: stops + 1 }, (_, index) => (seconds * index) / stops);
  let width = 600;
  const x = (time) => round((time / Math.max(1, seconds)) * (width - right));
  const label = localized("{figures} over the time of the workout", {
    figures: bands.map(({ name }) => name).join(", "),
  });
  const picture = plot(label, height, (drawing, drawn) => {
    width = drawn;
    for (const one of bands) one.draw(drawing, width - right, x);
    drawTimes(drawing, seconds, height, x);
    drawing.append(mark);
  });
  const element = addCursor(picture, {
    label,
    count: times.length,
    places: () => times.map((time) => x(time) / width),
    text: (index) => [clock(times[index]), ...bands.map((one) => one.text(times[index]))].join(" · "),
    onmove: (index) => {
      const time = index < 0 ? undefined : times[index];
      mark.setAttribute("visibility", index < 0 ? "hidden" : "visible");
      for (const name of ["x1", "x2"]) mark.setAttribute(name, x(time ?? 0));
      for (const one of bands) one.point(time, x);
      onmove(time);
    },
  });
  const rows = () => {
    const step = Math.max(60, Math.ceil(seconds / mostRows / 60) * 60);
    return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => [
      clock(index * step),
      ...bands.map((one) => one.text(index * step)),
    ]);
  };
  return [element, valueTable(label, [localized("Time"), ...bands.map(({ name }) => name)], rows)];
}

/** One curve with its title, its axis and its point below the cursor. */
class Band {
  constructor(curve, top, isOnFoot) {
    Object.assign(this, { curve, top, look: looks[curve.figure] ?? { name: curve.figure, tone: "other" } });
    this.name = this.look.name;
    this.unit = unitOf(curve, isOnFoot);
    this.low = curve.minimum;
    this.high = curve.figure === "pace" ? Math.min(curve.maximum, curve.average * slowest) : curve.maximum;
    this.title = svg("text.curve-title", { x: 0, y: top + 15 });
    this.dot = svg("circle.bar", { r: 4.5, visibility: "hidden" });
    this.say();
  }

  say(text) {
    const { figure, average, minimum, maximum } = this.curve;
    const known = figure === "elevation"
      ? `${valueOf(this.curve, minimum)}–${valueOf(this.curve, maximum)} ${this.unit}`
      : `⌀ ${valueOf(this.curve, average)} ${this.unit}`;
    this.title.replaceChildren(svg("tspan", `${this.name}  `), svg("tspan.curve-value", text ?? known));
  }

  y(value) {
    const share = (Math.min(this.high, Math.max(this.low, value)) - this.low) / Math.max(1e-9, this.high - this.low);
    const place = this.look.isInverted ? share : 1 - share;
    return round(this.top + bandTop + place * (band - bandTop - bandBottom));
  }

  draw(drawing, width, x) {
    const group = svg("g", { class: this.look.tone });
    const ticks = this.high > this.low ? [this.low, this.high] : [this.low];
    const texts = this.curve.figure === "pace"
      ? ticks.map((value) => clock(value))
      : axisTexts(ticks.map((value) => Math.round(value * 10) / 10), "count");
    ticks.forEach((value, index) => {
      const y = this.y(value);
      group.append(
        svg("line.rule", { x1: 0, x2: width, y1: y, y2: y }),
        svg("text", { x: width + 8, y: y + 4 }, texts[index]),
      );
    });
    for (const part of this.parts()) this.drawPart(group, part, x);
    group.append(this.title, this.dot);
    drawing.append(group);
  }

  /** The stretches between gaps. */
  parts() {
    const parts = [];
    for (const point of this.curve.points) {
      if (point.precededByGap || parts.length === 0) parts.push([]);
      parts.at(-1).push(point);
    }
    return parts;
  }

  drawPart(group, points, x) {
    const line = points.map(({ time, value }) => `${x(time)} ${this.y(value)}`).join("L");
    if (this.look.isArea) {
      const base = this.top + band - bandBottom;
      group.append(svg("path.area", { d: `M${x(points[0].time)} ${base}L${line}L${x(points.at(-1).time)} ${base}Z` }));
    }
    // A stretch of one point is a dot.
    const d = `M${line}${points.length === 1 ? "h0.1" : ""}`;
    group.append(svg("path.line", { "data-curve": this.curve.figure, d }));
  }

  /** The point that holds at a time. */
  at(time) {
    const { points } = this.curve;
    const index = points.findLastIndex((point) => point.time <= time);
    const near = [points[index], points[index + 1]].filter(Boolean)
      .sort((a, b) => Math.abs(a.time - time) - Math.abs(b.time - time))[0];
    const length = points.length > 1 ? (points.at(-1).time - points[0].time) / (points.length - 1) : 0;
    return near && Math.abs(near.time - time) <= Math.max(hold, 2 * length) ? near : undefined;
  }

  text(time) {
    const point = this.at(time);
    return point ? `${valueOf(this.curve, point.value)} ${this.unit}` : "–";
  }

  point(time, x) {
    const point = time === undefined ? undefined : this.at(time);
    this.dot.setAttribute("visibility", point ? "visible" : "hidden");
    if (point) {
      this.dot.setAttribute("cx", x(point.time));
      this.dot.setAttribute("cy", this.y(point.value));
    }
    this.say(time === undefined ? undefined : this.text(time));
  }
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 240].map((minutes) => minutes * 60);

function drawTimes(drawing, seconds, height, x) {
  const most = Math.min(7, x(seconds) / timeWidth);
  const step = steps.find((one) => seconds / one <= most) ?? steps.at(-1);
  for (let time = step; time < seconds; time += step) {
    const text = `${number(time / 60)} ${unitName("min")}`;
    drawing.append(svg("text", { x: x(time), y: height - 4, "text-anchor": "middle" }, text));
  }
}
