// A night of sleep: its steps between stages, and the time in each.

import { html, svg } from "../app/dom.js";
import { date, duration } from "../app/format.js";
import { localized } from "../app/language.js";
import { plot, round } from "./plots.js";

/** Stages of sleep from top to bottom; each has a color of its name. */
const stages = [
  { key: "awake", name: localized("Awake") },
  { key: "rem", name: localized("REM") },
  { key: "core", name: localized("Core") },
  { key: "deep", name: localized("Deep") },
  { key: "asleep", name: localized("Asleep") },
  { key: "inBed", name: localized("In Bed") },
];

/** The stages of which there is time, from top to bottom. `seconds` has the time in each. */
export const stagesIn = (seconds) => stages.filter(({ key }) => seconds[key] > 0);

/** The names of the stages with their times, below a chart. */
export function sleepLegend(seconds) {
  const entries = stagesIn(seconds).map(({ key, name }) =>
    html("li", html("span.dot", { class: `stage-${key}` }), name, html("b", duration(seconds[key])))
  );
  return html("ul.legend", entries);
}

const height = 132;
const left = 46;
const bottom = height - 20;
const barHeight = 14;
/** Steps between stages are drawn where less than a minute is missing. */
const largestGap = 60000;

/** A night as steps between stages; `null` without segments. */
export function nightPicture({ segments = [], stages: seconds }) {
  if (segments.length === 0) return null;
  const steps = segments
    .map(({ stage, startDate, endDate }) => ({ stage, start: Date.parse(startDate), end: Date.parse(endDate) }))
    .sort((a, b) => a.start - b.start);
  const rows = stages.filter(({ key }) => steps.some(({ stage }) => stage === key));
  const times = stagesIn(seconds).map(({ key, name }) => `${name} ${duration(seconds[key])}`);
  return plot(localized("Stages of sleep: {times}", { times: times.join(", ") }), height, (picture, width) => {
    drawNight(picture, width, steps, rows);
  });
}

function drawNight(picture, width, steps, rows) {
  const start = steps[0].start;
  const end = Math.max(...steps.map((step) => step.end));
  const x = (time) => round(left + ((width - left) * (time - start)) / Math.max(1, end - start));
  const y = (stage) => round((rows.findIndex(({ key }) => key === stage) + 0.5) * (bottom / rows.length));
  for (const { key, name } of rows) {
    picture.append(
      svg("line.rule", { x1: left, x2: width, y1: y(key), y2: y(key) }),
      svg("text", { x: 0, y: y(key) + 4 }, name),
    );
  }
  steps.forEach((step, index) => {
    const before = steps[index - 1];
    if (before && step.start - before.end < largestGap) {
      const [from, to] = [before.stage, step.stage].map(y);
      picture.append(
        svg("line.rule", { x1: x(step.start), x2: x(step.start), y1: from, y2: to, "stroke-width": 1.5 }),
      );
    }
    const length = Math.max(2, x(step.end) - x(step.start));
    const place = { x: x(step.start), y: y(step.stage) - barHeight / 2, width: round(length), height: barHeight };
    picture.append(svg("rect.bar", { class: `stage-${step.stage}`, rx: 3, ...place }));
  });
  picture.append(
    svg("text", { x: left, y: height - 3 }, date(new Date(start), "time")),
    svg("text", { x: width, y: height - 3, "text-anchor": "end" }, date(new Date(end), "time")),
  );
}
