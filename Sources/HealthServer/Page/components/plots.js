// Small charts as SVG, drawn in pixels of their own width and again when it changes. Large charts are in charts.js.

import { svg } from "../app/dom.js";

/**
 * A chart that follows the width of its place. `draw(picture, width, height)` adds the shapes; `label` is what a screen
 * reader says instead.
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

/** Coordinates need no more than a tenth of a pixel. */
export const round = (value) => Math.round(value * 10) / 10;

function hourAxis(picture, width, height, left = 0) {
  const span = width - left;
  for (const hour of [0, 6, 12, 18]) {
    const x = left + (span * hour) / 24;
    picture.append(svg("text", { x: round(x), y: height - 2 }, String(hour).padStart(2, "0")));
  }
}

/** Bars of the 24 hours of a day; `usual` are the averages of other days, drawn faintly behind. */
export function hourBars(label, values, usual = []) {
  return plot(label, 104, (picture, width, height) => {
    const bottom = height - 18;
    const top = Math.max(...values, ...usual, 1e-9);
    const step = width / 24;
    const bar = Math.max(3, step - 3);
    const draw = (value, hour, className) => {
      if (!(value > 0)) return;
      const length = Math.max(2, ((bottom - 4) * value) / top);
      picture.append(
        svg("rect", {
          class: `bar ${className}`,
          x: round(hour * step + (step - bar) / 2),
          y: round(bottom - length),
          width: round(bar),
          height: round(length),
          rx: Math.min(3, bar / 2),
        }),
      );
    };
    picture.append(svg("line.rule", { x1: 0, x2: width, y1: bottom + 0.5, y2: bottom + 0.5 }));
    usual.forEach((value, hour) => draw(value, hour, "faint"));
    values.forEach((value, hour) => draw(value, hour, ""));
    hourAxis(picture, width, height);
  });
}

/** The lowest and highest value of each part of a day: `points` have `hour`, `low` and `high`. */
export function hourRanges(label, points, format, { slots = 24 } = {}) {
  return plot(label, 104, (picture, width, height) => {
    const bottom = height - 18;
    const right = 34;
    const low = Math.min(...points.map((point) => point.low));
    const high = Math.max(...points.map((point) => point.high));
    const y = (value) => bottom - 8 - ((bottom - 16) * (value - low)) / Math.max(1e-9, high - low);
    const step = (width - right) / slots;
    const bar = Math.max(3, Math.min(8, step - 3));
    for (const value of [high, low]) {
      picture.append(
        svg("line.rule", { x1: 0, x2: width - right, y1: round(y(value)), y2: round(y(value)) }),
        svg("text", { x: width, y: round(y(value)) + 4, "text-anchor": "end" }, format(value)),
      );
    }
    for (const point of points) {
      const from = y(point.high) - bar / 2;
      const to = y(point.low) + bar / 2;
      picture.append(
        svg("rect.bar", {
          x: round((point.hour / 24) * (width - right) + (step - bar) / 2),
          y: round(from),
          width: round(bar),
          height: round(Math.max(bar, to - from)),
          rx: bar / 2,
        }),
      );
    }
    hourAxis(picture, width - right, height);
  });
}

/** A line through values of equal distance; `band` is the range that is usual. */
export function sparkline(label, values, { height = 56, band = null } = {}) {
  return plot(label, height, (picture, width) => {
    const known = values.filter((value) => Number.isFinite(value));
    if (known.length === 0) return;
    const low = Math.min(...known, band?.[0] ?? Infinity);
    const high = Math.max(...known, band?.[1] ?? -Infinity);
    const x = (index) => 4 + ((width - 8) * index) / Math.max(1, values.length - 1);
    const y = (value) => height - 6 - ((height - 12) * (value - low)) / Math.max(1e-9, high - low);
    if (band) {
      picture.append(
        svg("rect.bar.faint", {
          x: 0,
          width,
          y: round(y(band[1])),
          height: round(Math.max(2, y(band[0]) - y(band[1]))),
          rx: 3,
        }),
      );
    }
    const points = values.map((
      value,
      index,
    ) => (Number.isFinite(value) ? `${round(x(index))},${round(y(value))}` : null)).filter(Boolean);
    picture.append(
      svg("polyline", {
        points: points.join(" "),
        fill: "none",
        stroke: "var(--tone)",
        "stroke-width": 2,
        "stroke-linejoin": "round",
        "stroke-linecap": "round",
      }),
    );
    const last = values.findLastIndex((value) => Number.isFinite(value));
    picture.append(svg("circle.bar", { cx: round(x(last)), cy: round(y(values[last])), r: 4 }));
  });
}
