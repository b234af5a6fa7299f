// Heartbeat series: the time from each beat to the next one.

import * as api from "../app/api.js";
import { count, number } from "../app/format.js";
import { localized } from "../app/language.js";
import { empty, figures } from "../components/cards.js";
import { color, LargeChart } from "../components/charts.js";
import { valueTable } from "../components/value-table.js";

export function row(sample) {
  return { value: count(sample.count, "{count} beat", "{count} beats") };
}

export async function details(sample, _context, signal) {
  const { heartbeats } = await api.read(`series/${sample.uuid}`);
  const beats = heartbeats.map(({ timeSinceSeriesStart: time, precededByGap }, index) => ({
    time,
    interval: index === 0 || precededByGap ? null : (time - heartbeats[index - 1].timeSinceSeriesStart) * 1000,
  }));
  const known = beats.map(({ interval }) => interval).filter((interval) => interval !== null);
  if (known.length === 0) {
    return empty(localized("No intervals"), localized("The series has no two beats that follow each other."));
  }
  const chart = new LargeChart({ height: "mid" });
  signal.addEventListener("abort", () => chart.destroy());
  const text = (interval) => `${number(interval)} ms`;
  const range = `${number(Math.min(...known))}–${number(Math.max(...known))}`;
  // A series begins with its first beat, of which no interval is known.
  const drawn = beats.slice(1);
  chart.show({
    labels: drawn.map(({ time }) => `${number(time)} s`),
    sets: [{
      kind: "line",
      spanGaps: false,
      name: localized("Interval"),
      color: () => color("heart"),
      values: drawn.map(({ interval }) => interval),
    }],
    format: text,
    axis: (values) => values.map((value) => text(value)),
    title: (index) => `${number(drawn[index].time, 2)} s`,
    label: localized("Intervals between heartbeats in milliseconds, from {range} ms", { range }),
  });
  return [
    figures([
      [localized("Beats"), number(heartbeats.length)],
      [localized("Intervals"), range, "ms"],
      [localized("Duration"), number(beats.at(-1).time), "s"],
    ], "worded"),
    chart.element,
    valueTable(
      localized("Intervals between heartbeats"),
      [localized("Second"), localized("Interval (ms)")],
      () => beats.map(({ time, interval }) => [number(time, 2), interval === null ? "–" : number(interval)]),
    ),
  ];
}
