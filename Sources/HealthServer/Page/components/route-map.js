// The route of a workout, drawn without a map.

import { html, svg } from "../app/dom.js";
import { plot, round } from "./plots.js";

/** A route as a line in its proportions, green where it starts; north is up. */
export function routeMap(label, locations, values = null) {
  return html(
    "div.route",
    plot(label, 280, (picture, width, height) => {
      const scale = Math.cos((locations[0].latitude * Math.PI) / 180);
      const xs = locations.map((location) => location.longitude * scale);
      const ys = locations.map((location) => -location.latitude);
      const [minX, maxX, minY, maxY] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      const zoom = Math.min((width - 48) / Math.max(1e-6, maxX - minX), (height - 48) / Math.max(1e-6, maxY - minY));
      const x = (index) => round(width / 2 + (xs[index] - (minX + maxX) / 2) * zoom);
      const y = (index) => round(height / 2 + (ys[index] - (minY + maxY) / 2) * zoom);
      for (let line = 40; line < Math.max(width, height); line += 40) {
        if (line < width) picture.append(svg("line.rule", { x1: line, x2: line, y1: 0, y2: height }));
        if (line < height) picture.append(svg("line.rule", { x1: 0, x2: width, y1: line, y2: line }));
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
        picture.append(
          svg("polyline", {
            points: points.join(" "),
            fill: "none",
            stroke: values ? `hsl(${Math.round(8 + share * 122)} 80% 48%)` : "var(--tone)",
            "stroke-width": 4,
            "stroke-linejoin": "round",
            "stroke-linecap": "round",
          }),
        );
      }
      const last = locations.length - 1;
      picture.append(
        svg("circle", {
          cx: x(last),
          cy: y(last),
          r: 7,
          fill: "var(--bad)",
          stroke: "var(--surface)",
          "stroke-width": 2.5,
        }),
        svg("circle", { cx: x(0), cy: y(0), r: 7, fill: "var(--good)", stroke: "var(--surface)", "stroke-width": 2.5 }),
      );
    }),
  );
}
