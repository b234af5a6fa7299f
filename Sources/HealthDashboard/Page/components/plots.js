// Small charts as SVG, drawn at their width in pixels and again when it changes. Large charts are in charts.js.

import { svg } from "../app/dom.js";
import { hourName, number, timeOfDay } from "../app/format.js";
import { addCursor } from "./cursor.js";

/**
 * A chart that follows the width of its place. `draw(picture, width, height)` adds the shapes; screen readers say
 * `label` instead.
 */
export function plot(label, height, draw) {
  const picture = svg("svg.plot", { role: "img", "aria-label": label, height });
  let shown = 0;
  const show = (width) => {
    if (width < 20 || Math.abs(width - shown) < 1) return;
    shown = width;
    picture.replaceChildren();
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    draw(picture, width, height);
  };
  new ResizeObserver(([entry]) => show(entry.contentRect.width)).observe(picture);
  return picture;
}

/** A coordinate to a tenth of a pixel. */
export const round = (value) => Math.round(value * 10) / 10;

const dayHeight = 104;
const dayBottom = dayHeight - 18;

function drawHours(picture, width) {
  for (const hour of [0, 6, 12, 18]) {
    const x = round((width * hour) / 24);
    picture.append(svg("text", { x, y: dayHeight - 2 }, hourName(hour)));
  }
}

/** Bars of the 24 hours of a day; `usual` are the averages of other days, drawn faintly behind. A cursor reads both. */
export function hourBars(label, values, usual) {
  const amounts = (hour) => [number(values[hour] ?? 0), usual[hour] !== undefined && `⌀ ${number(usual[hour])}`];
  return addCursor(hourBarsPicture(label, values, usual), {
    label,
    count: 24,
    places: () => Array.from({ length: 24 }, (_, hour) => (hour + 0.5) / 24),
    text: (hour) => [timeOfDay(hour * 3600), ...amounts(hour)].filter(Boolean).join(" · "),
  });
}

function hourBarsPicture(label, values, usual) {
  return plot(label, dayHeight, (picture, width) => {
    const highest = Math.max(...values, ...usual, 1e-9);
    const step = width / 24;
    const bar = Math.max(3, step - 3);
    const draw = (value, hour, className) => {
      if (!(value > 0)) return;
      const length = Math.max(2, ((dayBottom - 4) * value) / highest);
      const place = { x: round(hour * step + (step - bar) / 2), y: round(dayBottom - length) };
      const size = { width: round(bar), height: round(length), rx: Math.min(3, bar / 2) };
      picture.append(svg("rect.bar", { class: className, ...place, ...size }));
    };
    picture.append(svg("line.rule", { x1: 0, x2: width, y1: dayBottom + 0.5, y2: dayBottom + 0.5 }));
    usual.forEach((value, hour) => draw(value, hour, "faint"));
    values.forEach((value, hour) => draw(value, hour, ""));
    drawHours(picture, width);
  });
}

const axisWidth = 34;

/** Where a value is between the lowest and the highest one, from 0 to 1; in the middle if they are the same. */
const shareOf = (value, low, high) => high > low ? (value - low) / (high - low) : 0.5;

/**
 * The range of values in parts of a day, which a cursor reads: `points` have `hour`, `minimum` and `maximum`; a day has
 * `slots` parts. `format` writes values, `text` a point.
 */
export function hourRanges(label, points, { slots, format, text }) {
  const picture = hourRangesPicture(label, points, format, slots);
  const place = ({ hour }, width) => ((hour / 24 + 0.5 / slots) * (width - axisWidth)) / width;
  return addCursor(picture, {
    label,
    count: points.length,
    places: () => points.map((point) => place(point, picture.getBoundingClientRect().width)),
    text: (index) => `${timeOfDay(points[index].hour * 3600)} · ${text(points[index])}`,
  });
}

function hourRangesPicture(label, points, format, slots) {
  return plot(label, dayHeight, (picture, width) => {
    const right = width - axisWidth;
    const low = Math.min(...points.map((point) => point.minimum));
    const high = Math.max(...points.map((point) => point.maximum));
    const y = (value) => dayBottom - 8 - (dayBottom - 16) * shareOf(value, low, high);
    const step = right / slots;
    const bar = Math.max(3, Math.min(8, step - 3));
    for (const value of format(high) === format(low) ? [high] : [high, low]) {
      picture.append(
        svg("line.rule", { x1: 0, x2: right, y1: round(y(value)), y2: round(y(value)) }),
        svg("text", { x: width, y: round(y(value)) + 4, "text-anchor": "end" }, format(value)),
      );
    }
    for (const { hour, minimum, maximum } of points) {
      const [top, bottom] = [y(maximum) - bar / 2, y(minimum) + bar / 2];
      const place = { x: round((hour / 24) * right + (step - bar) / 2), y: round(top) };
      const size = { width: round(bar), height: round(Math.max(bar, bottom - top)), rx: bar / 2 };
      picture.append(svg("rect.bar", { ...place, ...size }));
    }
    drawHours(picture, right);
  });
}

/**
 * A line through the values of days that follow each other; days without a value are left out. Nothing if there are no
 * two days to connect.
 */
export function sparkline(label, values, height = 56) {
  const known = values.map((value, index) => ({ value, index })).filter(({ value }) => value !== undefined);
  if (known.length < 2) return null;
  return plot(label, height, (picture, width) => {
    const low = Math.min(...known.map(({ value }) => value));
    const high = Math.max(...known.map(({ value }) => value));
    const points = known.map(({ value, index }) => [
      round(4 + ((width - 8) * index) / Math.max(1, values.length - 1)),
      round(height - 6 - (height - 12) * shareOf(value, low, high)),
    ]);
    const [x, y] = points.at(-1);
    picture.append(svg("polyline.line", { points: points.join(" ") }), svg("circle.bar", { cx: x, cy: y, r: 4 }));
  });
}
