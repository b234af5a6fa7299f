// Small charts as SVG, drawn in pixels of their own width and again when it changes. Large charts are in charts.js.

import { h, s } from "../app/dom.js";

/**
 * A chart that follows the width of its place. `draw(svg, width, height)` adds the shapes; `label` is what a screen
 * reader says instead.
 */
export function plot(label, height, draw) {
  const svg = s("svg.plot", { role: "img", "aria-label": label, height });
  let shown = 0;
  const show = (width) => {
    if (width < 20 || Math.abs(width - shown) < 1) return;
    shown = width;
    svg.replaceChildren();
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    draw(svg, width, height);
  };
  new ResizeObserver(([entry]) => show(entry.contentRect.width)).observe(svg);
  return svg;
}

const round = (value) => Math.round(value * 10) / 10;

function hourAxis(svg, width, height, left = 0) {
  const span = width - left;
  for (const hour of [0, 6, 12, 18]) {
    const x = left + (span * hour) / 24;
    svg.append(s("text", { x: round(x), y: height - 2 }, String(hour).padStart(2, "0")));
  }
}

/** Bars of the 24 hours of a day; `usual` are the averages of other days, drawn faintly behind. */
export function hourBars(label, values, usual = []) {
  return plot(label, 104, (svg, width, height) => {
    const bottom = height - 18;
    const top = Math.max(...values, ...usual, 1e-9);
    const step = width / 24;
    const bar = Math.max(3, step - 3);
    const draw = (value, hour, className) => {
      if (!(value > 0)) return;
      const length = Math.max(2, ((bottom - 4) * value) / top);
      svg.append(s("rect", { class: `bar ${className}`, x: round(hour * step + (step - bar) / 2), y: round(bottom - length), width: round(bar), height: round(length), rx: Math.min(3, bar / 2) }));
    };
    svg.append(s("line.rule", { x1: 0, x2: width, y1: bottom + 0.5, y2: bottom + 0.5 }));
    usual.forEach((value, hour) => draw(value, hour, "faint"));
    values.forEach((value, hour) => draw(value, hour, ""));
    hourAxis(svg, width, height);
  });
}

/** The lowest and highest value of each part of a day: `points` have `hour`, `low` and `high`. */
export function hourRanges(label, points, format, { slots = 24 } = {}) {
  return plot(label, 104, (svg, width, height) => {
    const bottom = height - 18;
    const right = 34;
    const low = Math.min(...points.map((point) => point.low));
    const high = Math.max(...points.map((point) => point.high));
    const y = (value) => bottom - 8 - ((bottom - 16) * (value - low)) / Math.max(1e-9, high - low);
    const step = (width - right) / slots;
    const bar = Math.max(3, Math.min(8, step - 3));
    for (const value of [high, low]) {
      svg.append(s("line.rule", { x1: 0, x2: width - right, y1: round(y(value)), y2: round(y(value)) }),
        s("text", { x: width, y: round(y(value)) + 4, "text-anchor": "end" }, format(value)));
    }
    for (const point of points) {
      const from = y(point.high) - bar / 2;
      const to = y(point.low) + bar / 2;
      svg.append(s("rect.bar", { x: round((point.hour / 24) * (width - right) + (step - bar) / 2), y: round(from), width: round(bar), height: round(Math.max(bar, to - from)), rx: bar / 2 }));
    }
    hourAxis(svg, width - right, height);
  });
}

/** A line through values of equal distance; `band` is the range that is usual. */
export function sparkline(label, values, { height = 56, band = null } = {}) {
  return plot(label, height, (svg, width) => {
    const known = values.filter((value) => Number.isFinite(value));
    if (known.length === 0) return;
    const low = Math.min(...known, band?.[0] ?? Infinity);
    const high = Math.max(...known, band?.[1] ?? -Infinity);
    const x = (index) => 4 + ((width - 8) * index) / Math.max(1, values.length - 1);
    const y = (value) => height - 6 - ((height - 12) * (value - low)) / Math.max(1e-9, high - low);
    if (band) svg.append(s("rect.bar.faint", { x: 0, width, y: round(y(band[1])), height: round(Math.max(2, y(band[0]) - y(band[1]))), rx: 3 }));
    const points = values.map((value, index) => (Number.isFinite(value) ? `${round(x(index))},${round(y(value))}` : null)).filter(Boolean);
    svg.append(s("polyline", { points: points.join(" "), fill: "none", stroke: "var(--c)", "stroke-width": 2, "stroke-linejoin": "round", "stroke-linecap": "round" }));
    const last = values.findLastIndex((value) => Number.isFinite(value));
    svg.append(s("circle.bar", { cx: round(x(last)), cy: round(y(values[last])), r: 4 }));
  });
}

/** Stages of sleep from top to bottom, with the color of each. */
export const stages = [
  { key: "awake", name: "Awake", color: "var(--stage-awake)" }, { key: "rem", name: "REM", color: "var(--stage-rem)" },
  { key: "core", name: "Core", color: "var(--stage-core)" }, { key: "deep", name: "Deep", color: "var(--stage-deep)" },
  { key: "asleep", name: "Asleep", color: "var(--stage-asleep)" }, { key: "inBed", name: "In Bed", color: "var(--stage-bed)" },
];

/** A night as steps between stages. `segments` have `stage`, `start` and `end` in milliseconds. */
export function hypnogram(label, segments, format, height = 132) {
  const used = stages.filter((stage) => segments.some((segment) => segment.stage === stage.key));
  return plot(label, height, (svg, width) => {
    const bottom = height - 20;
    const start = Math.min(...segments.map((segment) => segment.start));
    const end = Math.max(...segments.map((segment) => segment.end));
    const left = 46;
    const x = (time) => left + ((width - left) * (time - start)) / Math.max(1, end - start);
    const row = bottom / used.length;
    used.forEach((stage, index) => {
      const y = index * row + row / 2;
      svg.append(s("line.rule", { x1: left, x2: width, y1: round(y), y2: round(y) }), s("text", { x: 0, y: round(y) + 4 }, stage.name));
    });
    const sorted = [...segments].sort((a, b) => a.start - b.start);
    sorted.forEach((segment, index) => {
      const stage = used.findIndex((candidate) => candidate.key === segment.stage);
      const y = stage * row + row / 2 - 7;
      const before = sorted[index - 1];
      if (before && segment.start - before.end < 60000) {
        const other = used.findIndex((candidate) => candidate.key === before.stage) * row + row / 2;
        svg.append(s("line.rule", { x1: round(x(segment.start)), x2: round(x(segment.start)), y1: round(other), y2: round(y + 7), "stroke-width": 1.5 }));
      }
      svg.append(s("rect", { x: round(x(segment.start)), y: round(y), width: round(Math.max(2, x(segment.end) - x(segment.start))), height: 14, rx: 3, fill: used[stage].color }));
    });
    svg.append(s("text", { x: left, y: height - 3 }, format(start)), s("text", { x: width, y: height - 3, "text-anchor": "end" }, format(end)));
  });
}

/** Shares of a whole as one bar. `parts` have `value`, `color` and `name`. */
export function stackedBar(label, parts, { height = 14, total = null } = {}) {
  const whole = total ?? parts.reduce((sum, part) => sum + part.value, 0);
  return plot(label, height, (svg, width) => {
    const clip = `clip-${Math.random().toString(36).slice(2)}`;
    svg.append(s("defs", null, s("clipPath", { id: clip }, s("rect", { width, height, rx: height / 2 }))));
    const group = s("g", { "clip-path": `url(#${clip})` }, s("rect", { width, height, fill: "var(--inset)" }));
    let x = 0;
    for (const part of parts) {
      const length = whole > 0 ? (width * part.value) / whole : 0;
      if (length > 0.5) group.append(s("rect", { x: round(x), width: round(Math.max(1, length - (x + length < width - 1 ? 2 : 0))), height, fill: part.color }));
      x += length;
    }
    svg.append(group);
  });
}

/** A route as a line in its proportions, green where it starts; north is up. */
export function routeMap(label, locations, values = null) {
  return h("div.route", null, plot(label, 280, (svg, width, height) => {
    const scale = Math.cos((locations[0].latitude * Math.PI) / 180);
    const xs = locations.map((location) => location.longitude * scale);
    const ys = locations.map((location) => -location.latitude);
    const [minX, maxX, minY, maxY] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const zoom = Math.min((width - 48) / Math.max(1e-6, maxX - minX), (height - 48) / Math.max(1e-6, maxY - minY));
    const x = (index) => round(width / 2 + (xs[index] - (minX + maxX) / 2) * zoom);
    const y = (index) => round(height / 2 + (ys[index] - (minY + maxY) / 2) * zoom);
    for (let line = 40; line < Math.max(width, height); line += 40) {
      if (line < width) svg.append(s("line.rule", { x1: line, x2: line, y1: 0, y2: height }));
      if (line < height) svg.append(s("line.rule", { x1: 0, x2: width, y1: line, y2: line }));
    }
    const low = values ? Math.min(...values) : 0;
    const high = values ? Math.max(...values) : 1;
    const pieces = values ? Math.min(120, locations.length - 1) : 1;
    for (let piece = 0; piece < pieces; piece += 1) {
      const from = Math.floor(((locations.length - 1) * piece) / pieces);
      const to = Math.floor(((locations.length - 1) * (piece + 1)) / pieces);
      const points = [];
      for (let index = from; index <= to; index += 1) points.push(`${x(index)},${y(index)}`);
      const share = values ? (values[Math.floor((from + to) / 2)] - low) / Math.max(1e-9, high - low) : 1;
      svg.append(s("polyline", { points: points.join(" "), fill: "none", stroke: values ? `hsl(${Math.round(8 + share * 122)} 80% 48%)` : "var(--c)", "stroke-width": 4, "stroke-linejoin": "round", "stroke-linecap": "round" }));
    }
    const last = locations.length - 1;
    svg.append(s("circle", { cx: x(last), cy: y(last), r: 7, fill: "var(--bad)", stroke: "var(--surface)", "stroke-width": 2.5 }),
      s("circle", { cx: x(0), cy: y(0), r: 7, fill: "var(--good)", stroke: "var(--surface)", "stroke-width": 2.5 }));
  }));
}
