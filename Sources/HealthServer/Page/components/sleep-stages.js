// A night of sleep as steps between stages.

import { svg } from "../app/dom.js";
import { plot, round } from "./plots.js";

/** Stages of sleep from top to bottom, with the color of each. */
export const stages = [
  { key: "awake", name: "Awake", color: "var(--stage-awake)" },
  { key: "rem", name: "REM", color: "var(--stage-rem)" },
  { key: "core", name: "Core", color: "var(--stage-core)" },
  { key: "deep", name: "Deep", color: "var(--stage-deep)" },
  { key: "asleep", name: "Asleep", color: "var(--stage-asleep)" },
  { key: "inBed", name: "In Bed", color: "var(--stage-bed)" },
];

/** A night as steps between stages. `segments` have `stage`, `start` and `end` in milliseconds. */
export function hypnogram(label, segments, format, height = 132) {
  const used = stages.filter((stage) => segments.some((segment) => segment.stage === stage.key));
  return plot(label, height, (picture, width) => {
    const bottom = height - 20;
    const start = Math.min(...segments.map((segment) => segment.start));
    const end = Math.max(...segments.map((segment) => segment.end));
    const left = 46;
    const x = (time) => left + ((width - left) * (time - start)) / Math.max(1, end - start);
    const row = bottom / used.length;
    used.forEach((stage, index) => {
      const y = index * row + row / 2;
      picture.append(
        svg("line.rule", { x1: left, x2: width, y1: round(y), y2: round(y) }),
        svg("text", { x: 0, y: round(y) + 4 }, stage.name),
      );
    });
    const sorted = [...segments].sort((a, b) => a.start - b.start);
    sorted.forEach((segment, index) => {
      const stage = used.findIndex((candidate) => candidate.key === segment.stage);
      const y = stage * row + row / 2 - 7;
      const before = sorted[index - 1];
      if (before && segment.start - before.end < 60000) {
        const other = used.findIndex((candidate) => candidate.key === before.stage) * row + row / 2;
        picture.append(
          svg("line.rule", {
            x1: round(x(segment.start)),
            x2: round(x(segment.start)),
            y1: round(other),
            y2: round(y + 7),
            "stroke-width": 1.5,
          }),
        );
      }
      picture.append(
        svg("rect", {
          x: round(x(segment.start)),
          y: round(y),
          width: round(Math.max(2, x(segment.end) - x(segment.start))),
          height: 14,
          rx: 3,
          fill: used[stage].color,
        }),
      );
    });
    picture.append(
      svg("text", { x: left, y: height - 3 }, format(start)),
      svg("text", { x: width, y: height - 3, "text-anchor": "end" }, format(end)),
    );
  });
}
