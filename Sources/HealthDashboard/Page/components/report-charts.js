// Charts for paper: SVG in black and gray with axes, of one size, which the printer scales.

import { addDays, addMonths, daysBetween, noon, startOfMonth } from "../app/calendar.js";
import { svg } from "../app/dom.js";
import { axisTexts, date, hourName, percent } from "../app/format.js";
import { round } from "./plots.js";

const [width, height] = [720, 240];
const place = { left: 84, right: width - 12, top: 12, bottom: height - 26 };

/** The steps of an axis: 1, 2, 2.5 or 5 with zeros. */
function ticks([low, high], most = 6) {
  const least = (high - low) / most || 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= least - 1e-9);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/**
 * A chart with a vertical axis for `values`, and a horizontal one from `start` to `end`, with `marks` of
 * `[place, text]`. `draw(x, y)` answers the shapes.
 */
function chart(label, { values, fromZero = false, axis, start, end, marks, draw }) {
  const [low, high] = [Math.min(...values, ...(fromZero ? [0] : [])), Math.max(...values)];
  const steps = ticks([low, high]);
  const x = (value) => round(place.left + ((place.right - place.left) * (value - start)) / (end - start));
  const reach = steps.at(-1) - steps[0];
  const y = (value) => round(place.bottom - ((place.bottom - place.top) * (value - steps[0])) / reach);
  const texts = axis(steps);
  return svg(
    "svg.report-chart",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    steps.map((step, index) => [
      svg("line.grid", { x1: place.left, x2: place.right, y1: y(step), y2: y(step) }),
      svg("text.end", { x: place.left - 8, y: y(step) + 4 }, texts[index]),
    ]),
    marks.map(([value, text], index) => [
      svg("line.tick", { x1: x(value), x2: x(value), y1: place.bottom, y2: place.bottom + 5 }),
      svg("text", { class: index === 0 ? "" : "middle", x: x(value), y: height - 6 }, text),
    ]),
    svg("line.axis", { x1: place.left, x2: place.right, y1: place.bottom, y2: place.bottom }),
    svg("line.axis", { x1: place.left, x2: place.left, y1: place.top, y2: place.bottom }),
    draw(x, y),
  );
}

/** The days or months that are named below a chart. */
function dateMarks({ start, end }) {
  const days = daysBetween(start, end);
  const marks = [];
  if (days > 130) {
    for (let day = startOfMonth(start); day < end; day = addMonths(day, days > 250 ? 2 : 1)) {
      if (day >= start) marks.push([daysBetween(start, day), date(noon(day), "monthShort")]);
    }
    return marks;
  }
  const step = days <= 10 ? 1 : days <= 20 ? 2 : days <= 70 ? 7 : 14;
  for (let day = start; day < end; day = addDays(day, step)) {
    // The text of the last one has its place.
    if (daysBetween(day, end) * 10 >= days * 0.3) marks.push([daysBetween(start, day), date(noon(day), "short")]);
  }
  return marks;
}

/**
 * A chart of days: `points` have a `day`, counted from the start, which may be a fraction, and a `value`, a range from
 * `low` to `high`, or both. `isSum` draws bars; values that follow each other are connected with `isLine`.
 */
export function dayChart(label, span, points, { unit, type, axis, isSum = false, isLine = false }) {
  const days = daysBetween(span.start, span.end);
  const values = points.flatMap(({ value, low, high }) => [value, low, high]).filter(Number.isFinite);
  const bar = Math.max(1, Math.min(14, (0.7 * (place.right - place.left)) / days));
  return chart(label, {
    values,
    fromZero: isSum,
    axis: axis ?? ((steps) => axisTexts(steps, unit, type)),
    start: 0,
    end: days,
    marks: dateMarks(span),
    draw: (x, y) => {
      const known = points.filter(({ value }) => Number.isFinite(value));
      if (isSum) {
        return known.map(({ day, value }) =>
          svg("rect.bar", {
            x: x(day + 0.5) - bar / 2,
            width: round(bar),
            y: y(value),
            height: Math.max(0, y(0) - y(value)),
          })
        );
      }
      return [
        points.filter(({ low }) => Number.isFinite(low)).map(({ day, low, high }) =>
          svg("line.range", {
            x1: x(day),
            x2: x(day),
            y1: y(low),
            y2: y(high),
            "stroke-width": isLine ? Math.min(5, bar + 1) : 1.5,
          })
        ),
        isLine && svg("polyline.line", { points: known.map(({ day, value }) => `${x(day)},${y(value)}`).join(" ") }),
        known.map(({ day, value }) => svg("circle.dot", { cx: x(day), cy: y(value), r: days > 120 ? 1.5 : 2.5 })),
      ];
    },
  });
}

/**
 * Percentiles by the time of day, as the ambulatory glucose profile has them: `rows` are of an `hour` with `p5`, `p25`,
 * `median`, `p75` and `p95`. `limits` are the ends of the target range.
 */
export function dayProfile(label, rows, { unit, type, limits }) {
  const points = rows.map((row) => ({ ...row, at: row.hour + 0.5 }));
  return chart(label, {
    values: [...limits, ...rows.flatMap(({ p5, p95 }) => [p5, p95])],
    axis: (steps) => axisTexts(steps, unit, type),
    start: 0,
    end: 24,
    marks: [0, 3, 6, 9, 12, 15, 18, 21].map((hour) => [hour, hourName(hour)]),
    draw: (x, y) => {
      const line = (member) => points.map((one) => `${x(one.at)},${y(one[member])}`);
      const band = (low, high) => [...line(high), ...line(low).reverse()].join(" ");
      return [
        svg("polygon.band.outer", { points: band("p5", "p95") }),
        svg("polygon.band.inner", { points: band("p25", "p75") }),
        limits.map((limit) =>
          svg("line.limit", { x1: place.left, x2: place.right, y1: y(limit), y2: y(limit) })
        ),
        svg("polyline.line", { points: line("median").join(" ") }),
      ];
    },
  });
}

/** Shares of a whole as one bar; each has a `name`, a `share` and the `shade` of gray. A table has the numbers. */
export function shareBar(label, shares) {
  let x = 0;
  const total = shares.reduce((sum, { share }) => sum + share, 0) || 1;
  const text = shares.map(({ name, share }) => `${name}: ${percent(share)}`).join(", ");
  return svg(
    "svg.report-chart.shares",
    { viewBox: `0 0 ${width} 20`, role: "img", "aria-label": `${label}. ${text}` },
    shares.map(({ share, shade }) => {
      const length = (width * share) / total;
      const bar = svg("rect", { class: `share ${shade}`, x: round(x), width: round(length), y: 1, height: 18 });
      x += length;
      return bar;
    }),
  );
}
