// The route of a workout, drawn without a map.

import { html, svg } from "../app/dom.js";
import { plot, round } from "./plots.js";

const grid = 40;
const margin = 24;
const mostPieces = 120;

/** A route as a line in its proportions; north is up. `speeds`, if there are any, color it from red to green. */
export function routeMap(label, locations, speeds) {
  const draw = (picture, width, height) => {
    drawGrid(picture, width, height);
    const points = project(locations, width, height);
    if (speeds) drawColored(picture, points, speeds);
    else picture.append(line(points, "var(--tone)"));
    picture.append(end(points.at(-1), "var(--bad)"), end(points[0], "var(--good)"));
  };
  return html("div.route", plot(label, 280, draw));
}

function drawGrid(picture, width, height) {
  for (let x = grid; x < width; x += grid) picture.append(svg("line.rule", { x1: x, x2: x, y1: 0, y2: height }));
  for (let y = grid; y < height; y += grid) picture.append(svg("line.rule", { x1: 0, x2: width, y1: y, y2: y }));
}

/** The locations as points of a picture, as large as it allows. */
function project(locations, width, height) {
  // A degree of longitude is shorter than one of latitude, by the cosine of the latitude.
  const scale = Math.cos((locations[0].latitude * Math.PI) / 180);
  const xs = locations.map(({ longitude }) => longitude * scale);
  const ys = locations.map(({ latitude }) => -latitude);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const zoom = Math.min(
    (width - 2 * margin) / Math.max(1e-6, right - left),
    (height - 2 * margin) / Math.max(1e-6, bottom - top),
  );
  return locations.map((_, index) => ({
    x: round(width / 2 + (xs[index] - (left + right) / 2) * zoom),
    y: round(height / 2 + (ys[index] - (top + bottom) / 2) * zoom),
  }));
}

function drawColored(picture, points, speeds) {
  const [low, high] = [Math.min(...speeds), Math.max(...speeds)];
  const pieces = Math.min(mostPieces, points.length - 1);
  for (let piece = 0; piece < pieces; piece += 1) {
    const from = Math.floor(((points.length - 1) * piece) / pieces);
    const to = Math.floor(((points.length - 1) * (piece + 1)) / pieces);
    const share = (speeds[Math.floor((from + to) / 2)] - low) / Math.max(1e-9, high - low);
    picture.append(line(points.slice(from, to + 1), `hsl(${Math.round(8 + share * 122)} 80% 48%)`));
  }
}

function line(points, stroke) {
  return svg("polyline", {
    points: points.map(({ x, y }) => `${x},${y}`).join(" "),
    fill: "none",
    stroke,
    "stroke-width": 4,
    "stroke-linejoin": "round",
    "stroke-linecap": "round",
  });
}

function end({ x, y }, fill) {
  return svg("circle", { cx: x, cy: y, r: 7, fill, stroke: "var(--surface)", "stroke-width": 2.5 });
}
