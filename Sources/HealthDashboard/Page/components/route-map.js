// The route of a workout: a line in its proportions with a scale, over the tiles of a map if the server names some.

import { session } from "../app/api.js";
import { html, svg } from "../app/dom.js";
import { number } from "../app/format.js";
import { localized } from "../app/language.js";
import { plot, round } from "./plots.js";

const height = 320;
const grid = 40;
const margin = 28;
const mostPieces = 120;
const tileSize = 256;
const mostDetail = 18;
/** The meters of a pixel at the equator, where the whole world is one tile. */
const metersOfPixel = 156543.03392;
const scales = [1, 2, 5].flatMap((digit) => [0, 1, 2, 3, 4, 5, 6].map((power) => digit * 10 ** power)).sort((a, b) =>
  a - b
);
const lengths = {
  km: [["km", 1000], ["m", 1]],
  mi: [["mi", 1609.344], ["ft", 0.3048]],
};

/**
 * A route with north up. `speeds`, if there are any, color it from red to green; `lengthUnit` is `km` or `mi`. Answers
 * the `element`, and `mark(index)`, which shows where a location is; −1 shows none.
 */
export function routeMap(label, locations, { speeds = null, lengthUnit = "km" } = {}) {
  const here = svg("circle.here", { r: 8, cx: -50, cy: -50 });
  let points = [];
  let marked = -1;
  const mark = (index) => {
    marked = index;
    const { x, y } = points[index] ?? { x: -50, y: -50 };
    here.setAttribute("cx", x);
    here.setAttribute("cy", y);
  };
  const draw = (picture, width) => {
    const view = fit(locations, width);
    points = view.points;
    if (session.mapTiles) drawTiles(picture, view, width);
    else drawGrid(picture, width);
    // A light border keeps the line apart from whatever is below it.
    picture.append(line(points, "var(--surface)", 7));
    if (speeds) drawColored(picture, points, speeds);
    else picture.append(line(points, "var(--tone)"));
    picture.append(end(points.at(-1), "var(--bad)"), end(points[0], "var(--good)"));
    drawScale(picture, view.metersPerPixel, lengthUnit);
    picture.append(here);
    mark(marked);
  };
  const credit = session.mapTiles && session.mapAttribution &&
    html("p.muted.small.credit", session.mapAttribution);
  return { element: html("figure.route", plot(label, height, draw), credit), mark };
}

function drawGrid(picture, width) {
  for (let x = grid; x < width; x += grid) picture.append(svg("line.rule", { x1: x, x2: x, y1: 0, y2: height }));
  for (let y = grid; y < height; y += grid) picture.append(svg("line.rule", { x1: 0, x2: width, y1: y, y2: y }));
}

/** The place of a location in the world of Web Mercator, whose width and height are 1. */
function world({ latitude, longitude }) {
  const radians = (Math.max(-85, Math.min(85, latitude)) * Math.PI) / 180;
  return {
    x: (longitude + 180) / 360,
    y: (1 - Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI) / 2,
  };
}

/** The locations as points of a picture, as large as it allows. */
function fit(locations, width) {
  const places = locations.map(world);
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const [left, right, top, bottom] = [min(xs), max(xs), min(ys), max(ys)];
  // No closer than about a hundred meters across: a route of one place isn't the noise of its locations.
  const pixels = Math.min(
    (width - 2 * margin) / Math.max(3e-6, right - left),
    (height - 2 * margin) / Math.max(3e-6, bottom - top),
  );
  const origin = { x: (left + right) / 2 - width / 2 / pixels, y: (top + bottom) / 2 - height / 2 / pixels };
  const middle = (locations[0].latitude * Math.PI) / 180;
  return {
    pixels,
    origin,
    points: places.map(({ x, y }) => ({ x: round((x - origin.x) * pixels), y: round((y - origin.y) * pixels) })),
    metersPerPixel: (metersOfPixel * tileSize * Math.cos(middle)) / pixels,
  };
}

const min = (values) => values.reduce((a, b) => Math.min(a, b));
const max = (values) => values.reduce((a, b) => Math.max(a, b));

/** The tiles of the zoom level that is nearest, enlarged or reduced to the scale of the picture. */
function drawTiles(picture, { pixels, origin }, width) {
  const zoom = Math.max(0, Math.min(mostDetail, Math.round(Math.log2(pixels / tileSize))));
  const count = 2 ** zoom;
  const size = pixels / count;
  const [firstX, firstY] = [Math.floor(origin.x * count), Math.max(0, Math.floor(origin.y * count))];
  const lastX = Math.floor((origin.x + width / pixels) * count);
  const lastY = Math.min(count - 1, Math.floor((origin.y + height / pixels) * count));
  const tiles = svg("g.tiles");
  for (let x = firstX; x <= lastX; x += 1) {
    for (let y = firstY; y <= lastY; y += 1) {
      const numbers = { z: zoom, x: ((x % count) + count) % count, y };
      tiles.append(svg("image", {
        href: session.mapTiles.replace(/\{([zxy])\}/g, (_, name) => numbers[name]),
        x: round((x / count - origin.x) * pixels),
        y: round((y / count - origin.y) * pixels),
        // A little more, so that no gap is between tiles.
        width: size + 0.5,
        height: size + 0.5,
      }));
    }
  }
  picture.append(tiles);
}

function drawScale(picture, metersPerPixel, lengthUnit) {
  const longest = metersPerPixel * 110;
  const [unit, meters] = lengths[lengthUnit].find(([, meters]) => meters <= longest) ?? lengths[lengthUnit][1];
  const amount = scales.findLast((scale) => scale * meters <= longest) ?? 1;
  const [x, y, length] = [14, height - 14, round((amount * meters) / metersPerPixel)];
  picture.append(
    svg("rect.scale-back", { x: x - 8, y: y - 24, width: length + 16, height: 32, rx: 6 }),
    svg("path.scale", { d: `M${x} ${y - 5}v5h${length}v-5` }),
    svg("text", { x: x + length / 2, y: y - 9, "text-anchor": "middle" }, `${number(amount)} ${unit}`),
  );
  picture.append(
    svg("path.north", { d: `M${x + 4} 14l5 13l-5 -3.5l-5 3.5z` }),
    svg("text", { x: x + 4, y: 40, "text-anchor": "middle" }, localized("N")),
  );
}

function drawColored(picture, points, speeds) {
  const [low, high] = [min(speeds), max(speeds)];
  const pieces = Math.min(mostPieces, points.length - 1);
  for (let piece = 0; piece < pieces; piece += 1) {
    const from = Math.floor(((points.length - 1) * piece) / pieces);
    const to = Math.floor(((points.length - 1) * (piece + 1)) / pieces);
    const share = (speeds[Math.floor((from + to) / 2)] - low) / Math.max(1e-9, high - low);
    picture.append(line(points.slice(from, to + 1), `hsl(${Math.round(8 + share * 122)} 80% 48%)`));
  }
}

function line(points, stroke, width = 4) {
  return svg("polyline", {
    points: points.map(({ x, y }) => `${x},${y}`).join(" "),
    fill: "none",
    stroke,
    "stroke-width": width,
    "stroke-linejoin": "round",
    "stroke-linecap": "round",
  });
}

function end({ x, y }, fill) {
  return svg("circle", { cx: x, cy: y, r: 7, fill, stroke: "var(--surface)", "stroke-width": 2.5 });
}
