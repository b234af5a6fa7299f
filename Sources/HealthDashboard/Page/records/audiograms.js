// Audiograms: the quietest tones that each ear hears, as audiologists draw them, with quiet at the top.

import { html, svg } from "../app/dom.js";
import { count, number } from "../app/format.js";
import { localized } from "../app/language.js";
import { addCursor } from "../components/cursor.js";
import { plot, round } from "../components/plots.js";
import { table } from "../components/value-table.js";

const height = 320;
const edge = { left: 44, right: 12, top: 46, bottom: 12 };
const leastRange = [-10, 80];
const leastFrequencies = [125, 8000];

/** The sensitivity of an ear, 0 the left one and 1 the right one, at a point of any version of HealthKit. */
function sensitivity(point, side) {
  const test = (point.tests ?? []).find((one) => one.side === side);
  const found = test?.sensitivity ?? (side === 0 ? point.leftEarSensitivity : point.rightEarSensitivity);
  return { value: found?.quantity, masked: test?.masked };
}

const points = ({ fields = {} }) =>
  (fields.sensitivityPoints ?? []).map((point) => ({
    frequency: point.frequency.quantity,
    left: sensitivity(point, 0),
    right: sensitivity(point, 1),
  })).sort((a, b) => a.frequency - b.frequency);

const level = (ear) => ear.value === undefined ? "–" : `${number(ear.value, 1)} dB HL`;
const frequencyText = (frequency) =>
  frequency >= 1000 ? `${number(frequency / 1000, 2)} kHz` : `${number(frequency)} Hz`;

export function row(sample) {
  const all = points(sample);
  return { value: count(all.length, "{count} frequency", "{count} frequencies") };
}

export function details(sample) {
  const all = points(sample);
  const label = localized("Audiogram: the sensitivity of both ears in dB HL over the frequency in Hz");
  return [
    html(
      "ul.legend",
      html("li", html("b.ear-left", "✕"), localized("Left ear")),
      html("li", html("b.ear-right", "○"), localized("Right ear")),
    ),
    chart(label, all),
    table(
      localized("Sensitivity of both ears"),
      [localized("Frequency"), localized("Left ear"), localized("Right ear")],
      all.map(({ frequency, left, right }) => [frequencyText(frequency), level(left), level(right)]),
    ),
    all.some(({ left, right }) => left.masked || right.masked) &&
      html("p.muted.small", localized("Some tones were measured while the other ear heard noise (masking).")),
  ];
}

function chart(label, all) {
  const values = all.flatMap(({ left, right }) => [left.value, right.value]).filter((value) => value !== undefined);
  const low = Math.floor(Math.min(leastRange[0], ...values) / 10) * 10;
  const high = Math.ceil(Math.max(leastRange[1], ...values) / 10) * 10;
  const frequencies = all.map(({ frequency }) => frequency);
  const [first, last] = [Math.min(leastFrequencies[0], ...frequencies), Math.max(leastFrequencies[1], ...frequencies)];
  const share = (frequency) => Math.log2(frequency / first) / Math.log2(last / first);
  let width = 600;
  const mark = svg("line.mark", { y1: edge.top, y2: height - edge.bottom, visibility: "hidden" });
  const x = (frequency) => round(edge.left + share(frequency) * (width - edge.left - edge.right));
  const y = (value) => round(edge.top + ((value - low) / (high - low)) * (height - edge.top - edge.bottom));
  const picture = plot(label, height, (drawing, drawn) => {
    width = drawn;
    for (let value = low; value <= high; value += 10) {
      drawing.append(
        svg("line.rule", { x1: edge.left, x2: width - edge.right, y1: y(value), y2: y(value) }),
        svg("text", { x: edge.left - 8, y: y(value) + 4, "text-anchor": "end" }, number(value)),
      );
    }
    drawing.append(svg("text", { x: 0, y: 12 }, "dB HL"));
    for (let frequency = 125; frequency <= last; frequency *= 2) {
      if (frequency < first) continue;
      const text = frequency >= 1000 ? `${frequency / 1000}k` : `${frequency}`;
      drawing.append(
        svg("line.rule", { x1: x(frequency), x2: x(frequency), y1: edge.top, y2: height - edge.bottom }),
        svg("text", { x: x(frequency), y: edge.top - 10, "text-anchor": "middle" }, text),
      );
    }
    drawing.append(svg("text", { x: width, y: 12, "text-anchor": "end" }, ` Hz`), mark);
    draw(drawing, "right", all, x, y);
    draw(drawing, "left", all, x, y);
  });
  return addCursor(picture, {
    label,
    count: all.length,
    places: () => all.map(({ frequency }) => x(frequency) / width),
    text: (index) => {
      const { frequency, left, right } = all[index];
      const ears = { left: level(left), right: level(right) };
      return `${frequencyText(frequency)} · ${localized("left {left}, right {right}", ears)}`;
    },
    onmove: (index) => {
      mark.setAttribute("visibility", index < 0 ? "hidden" : "visible");
      for (const name of ["x1", "x2"]) mark.setAttribute(name, x(all[Math.max(0, index)].frequency));
    },
  });
}

/** The line of an ear with its symbols: crosses for the left one, circles for the right one. */
function draw(drawing, ear, all, x, y) {
  const known = all.filter((point) => point[ear].value !== undefined)
    .map((point) => [x(point.frequency), y(point[ear].value)]);
  drawing.append(svg("polyline", { class: `ear-${ear}`, points: known.map((point) => point.join(",")).join(" ") }));
  for (const [left, top] of known) {
    drawing.append(
      ear === "left"
        ? svg("path.ear-left", { d: `M${left - 5} ${top - 5}l10 10m0 -10l-10 10` })
        : svg("circle.ear-right", { cx: left, cy: top, r: 5.5 }),
    );
  }
}
