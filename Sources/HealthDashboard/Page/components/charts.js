// Large charts with Chart.js, which Debian's package libjs-chart.js installs; the server offers it at /vendor/chart.js.

import { html, put } from "../app/dom.js";
import { localized } from "../app/language.js";
import { empty } from "./cards.js";

let library = null;

/** Loads Chart.js once. Answers `null` if the server doesn't have it. */
export function loadCharts() {
  library ??= new Promise((resolve) => {
    const script = html("script", {
      src: "vendor/chart.js",
      async: true,
      onload: () => resolve(globalThis.Chart ?? null),
      onerror: () => {
        library = null;
        script.remove();
        resolve(null);
      },
    });
    document.head.append(script);
  });
  return library;
}

/** The value of a color of the style sheets, for a canvas. */
export function color(name, alpha = 1) {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  if (alpha === 1) return value;
  const [red, green, blue] = [1, 3, 5].map((index) => parseInt(value.slice(index, index + 2), 16));
  return `rgb(${red} ${green} ${blue} / ${alpha})`;
}

/** A color with less of itself, for what isn't complete. */
function faded(value) {
  if (!value.startsWith("#")) return value;
  const [red, green, blue] = [1, 3, 5].map((index) => parseInt(value.slice(index, index + 2), 16));
  return `rgb(${red} ${green} ${blue} / 0.45)`;
}

/**
 * A chart with labels below. Each data set has `kind` ("bars", "range", "line" or "points"), `values` (numbers, or
 * `[low, high]` for ranges), `color` (a function, as colors depend on the theme) and `name`.
 *
 * A set with `side` ("left" or "right") has its own axis, with its own `format` and `axis`. `marks` are notes at
 * places of the labels, each with an `index` and a `text`.
 *
 * With `ends`, the axis goes from the first to the second of them.
 *
 * With `times`, the values are at these numbers of an axis of time instead, and a line has no value where `null` is.
 */
export class LargeChart {
  constructor({ height = "" } = {}) {
    this.canvas = html("canvas", {
      role: "slider",
      tabindex: "0",
      "aria-label": localized("Chart"),
      "aria-valuenow": "0",
      onkeydown: (event) => this.move(event),
      onclick: (event) => this.follow(event),
      onblur: () => this.point(-1),
    });
    this.element = html("div.chart", { class: height }, this.canvas);
    this.chart = null;
    this.content = null;
    this.onTheme = () => this.content && this.show(this.content);
    document.addEventListener("themechange", this.onTheme);
  }

  /**
   * Shows `labels` and `sets`; `format(value)` writes values, `axis(values)` the texts beside ticks, and `title(index)`
   * the heads of tooltips. The part `open` isn't over, and drawn fainter. `formatRange(range)` writes ranges that have
   * their own form. An axis of time has steps of `timeSteps` and ends at `timeEnd`. A part leads to its address, if
   * there are `addresses`.
   */
  async show(content) {
    this.content = content;
    const Chart = await loadCharts();
    if (!Chart) {
      const text = localized(
        "Install the package libjs-chart.js on the server’s machine and load this page again. The table has all " +
          "the values.",
      );
      put(this.element, empty(localized("Charts are not installed"), text));
      return;
    }
    if (this.content !== content || !this.canvas.isConnected) return;
    const { data, options } = configuration(content);
    if (this.chart) {
      Object.assign(this.chart, { data, options });
      this.chart.update("none");
    } else {
      const plugins = [{ id: "marks", afterDatasetsDraw: (chart) => drawMarks(chart, this.content.marks ?? []) }];
      this.chart = new Chart(this.canvas, { type: "bar", data, options, plugins });
    }
    this.canvas.setAttribute("aria-label", content.label);
    const leads = content.addresses?.some(Boolean) ?? false;
    this.canvas.classList.toggle("leads", leads);
    this.canvas.ariaDescription = leads ? localized("Enter opens the part by itself.") : null;
    this.canvas.setAttribute("aria-valuemax", Math.max(0, this.count - 1));
    this.current = -1;
    this.touched = -1;
  }

  /** Shows nothing, as there is nothing in the period. */
  clear() {
    const label = localized("Chart");
    return this.show({ labels: [], sets: [], format: String, axis: () => [], title: () => "", label });
  }

  get count() {
    return (this.content.times ?? this.content.labels).length;
  }

  /** Arrow keys move from value to value; Home and End go to the first and the last one. */
  move(event) {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -Infinity, End: Infinity }[event.key];
    if (!this.chart || this.count === 0) return;
    if (event.key === "Escape") this.point(-1);
    if (event.key === "Enter") this.open(this.current);
    if (step === undefined) return;
    event.preventDefault();
    const first = step < 0 ? this.count - 1 : 0;
    const next = this.current < 0 && Number.isFinite(step) ? first : this.current + step;
    this.point(Math.min(this.count - 1, Math.max(0, next)));
  }

  /** Opens the part that is clicked; a finger points at it first. */
  follow(event) {
    const [found] = this.chart?.getElementsAtEventForMode(event, "index", { axis: "x", intersect: false }, false) ?? [];
    if (!found) return;
    const isPointed = event.pointerType !== "touch" || this.touched === found.index;
    this.touched = found.index;
    if (isPointed) this.open(found.index);
  }

  open(index) {
    const address = this.content?.addresses?.[index];
    if (address) location.hash = address;
  }

  /** Shows the tooltip of a part, and says it; −1 hides it. */
  point(index) {
    if (!this.chart) return;
    this.current = index;
    const { sets, title } = this.content;
    const isKnown = ({ values }) => values[index] !== null && values[index] !== undefined;
    const active = index < 0 ? [] : sets.map((set, datasetIndex) => isKnown(set) ? { datasetIndex, index } : null)
      .filter(Boolean);
    this.chart.setActiveElements(active);
    this.chart.tooltip.setActiveElements(active, { x: 0, y: 0 });
    this.chart.update("none");
    if (index < 0) return;
    const texts = sets.map((set, datasetIndex) => valueText(this.content, datasetIndex, index)).filter(Boolean);
    this.canvas.setAttribute("aria-valuenow", index);
    this.canvas.setAttribute("aria-valuetext", `${title(index)}: ${texts.join(", ") || localized("no data")}`);
  }

  destroy() {
    document.removeEventListener("themechange", this.onTheme);
    this.chart?.destroy();
    this.chart = null;
  }
}

function configuration(content) {
  const font = { family: getComputedStyle(document.body).fontFamily, size: 12 };
  return {
    data: { labels: content.labels, datasets: content.sets.map((set) => dataset(set, content)) },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      normalized: true,
      interaction: { mode: content.times ? "nearest" : "index", axis: "x", intersect: false },
      layout: { padding: { top: content.marks?.length > 0 ? 22 : 8 } },
      scales: scales(content, font),
      plugins: { legend: { display: false }, tooltip: tooltip(content, font) },
    },
  };
}

/** A dashed line at each note, with its text above. */
function drawMarks({ ctx, chartArea: { top, bottom }, scales: { x } }, marks) {
  ctx.save();
  ctx.strokeStyle = color("ink-3");
  ctx.fillStyle = color("ink-2");
  ctx.textAlign = "center";
  ctx.font = `600 12px ${getComputedStyle(document.body).fontFamily}`;
  ctx.setLineDash([3, 4]);
  for (const { index, text } of marks) {
    const place = x.getPixelForValue(index);
    ctx.beginPath();
    ctx.moveTo(place, top);
    ctx.lineTo(place, bottom);
    ctx.stroke();
    const width = ctx.measureText(text).width / 2;
    const shown = width > 90 ? `${text.slice(0, 20)}…` : text;
    const half = ctx.measureText(shown).width / 2;
    ctx.fillText(shown, Math.min(Math.max(place, x.left + half), x.right - half), top - 6);
  }
  ctx.restore();
}

function scales({ sets, axis, ends, times, timeText, timeSteps, timeEnd, stacked = false }, font) {
  const hasBars = sets.some((set) => set.kind === "bars");
  const ticks = { color: color("ink-2"), font };
  const own = sets.filter(({ side }) => side);
  return {
    ...(own.length > 0 ? Object.fromEntries(own.map((set) => [set.side, ownAxis(set, ticks)])) : { y: commonAxis() }),
    x: {
      stacked,
      grid: { display: false, drawBorder: false },
      ticks: { ...ticks, maxRotation: 0, autoSkip: true, autoSkipPadding: 14 },
      ...(times && timeAxis(times, timeEnd ?? times.at(-1), timeText, timeSteps ?? minuteSteps, ticks)),
    },
  };

  function commonAxis() {
    return {
      stacked,
      beginAtZero: hasBars,
      position: "right",
      ...(!hasBars && !ends && endsAround(sets.flatMap(({ values }) => values), 0.04)),
      ...(ends && { min: ends[0], max: ends[1] }),
      grid: { color: color("line"), drawBorder: false, drawTicks: false },
      ticks: {
        ...ticks,
        display: hasValues(sets),
        maxTicksLimit: 8,
        padding: 8,
        callback: (_value, index, all) => axis(all.map(({ value }) => value))[index],
      },
    };
  }
}

/**
 * The ends of an axis that doesn't begin at zero for its values: room around one value, which has no range, and no
 * negative numbers where there are none. Without values, it has no numbers.
 */
function endsAround(values, grace) {
  const known = values.flat().filter((value) => Number.isFinite(value));
  if (known.length === 0) return { min: 0, max: 1, grace: 0 };
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const room = low === high ? 10 ** Math.floor(Math.log10(Math.abs(low) || 1)) / 2 : (high - low) * grace;
  const isBelowZero = low >= 0 && low < room;
  if (low === high) return { min: isBelowZero ? 0 : low - room, max: high + room, grace: 0 };
  return { ...(isBelowZero && { min: 0 }), grace: `${grace * 100}%` };
}

/** Whether sets have anything to draw: bars of nothing aren't drawn. */
const hasValues = (sets) =>
  sets.some(({ kind, values }) =>
    values.flat().some((value) => Number.isFinite(value) && (kind !== "bars" || value !== 0))
  );

/** The axis of one data set, in its color. Only the left one has lines. */
const ownAxis = ({ side, color: ownColor, axis, values }, ticks) => ({
  position: side,
  beginAtZero: false,
  ...endsAround(values, 0.06),
  grid: { color: color("line"), drawBorder: false, drawTicks: false, drawOnChartArea: side === "left" },
  ticks: {
    ...ticks,
    color: ownColor(),
    display: hasValues([{ values }]),
    maxTicksLimit: 6,
    padding: 8,
    callback: (_value, index, all) => axis(all.map(({ value }) => value))[index],
  },
});

/** Steps of an axis of days. */
export const daySteps = [1, 2, 7, 14, 28, 61, 122, 365, 730];

/** Steps of an axis of minutes. */
const minuteSteps = [1, 2, 5, 10, 15, 30, 60, 120, 240];

function timeAxis(times, end, text, steps, ticks) {
  const start = Math.min(0, times[0] ?? 0);
  const stepSize = steps.find((step) => (end - start) / step <= 9) ?? steps.at(-1) * 2;
  return {
    type: "linear",
    min: start,
    max: end,
    ticks: { ...ticks, stepSize, maxRotation: 0, includeBounds: false, callback: text },
  };
}

/** What a tooltip says of a value: with the name of its series, if there are several; nothing without a value. */
function valueText({ sets, format, formatRange }, setIndex, index) {
  const { name, values, format: own = format } = sets[setIndex];
  const value = values[index];
  if (value === null || value === undefined) return "";
  const ofRange = formatRange ?? (([low, high]) => [...new Set([own(low), own(high)])].join("–"));
  const text = Array.isArray(value) ? ofRange(value) : own(value);
  return sets.length > 1 ? `${name}: ${text}` : text;
}

function tooltip(content, font) {
  const { sets, title } = content;
  const label = ({ datasetIndex, dataIndex }) => valueText(content, datasetIndex, dataIndex);
  return {
    backgroundColor: color("toast"),
    titleColor: "#ffffff",
    bodyColor: "#ffffff",
    padding: 12,
    cornerRadius: 10,
    displayColors: sets.length > 1,
    boxPadding: 6,
    titleFont: { ...font, weight: 600 },
    bodyFont: { ...font, size: 14 },
    callbacks: { title: ([item]) => item && title(item.dataIndex), label },
  };
}

/** The width of ranges at their times, in pixels. */
const rangeWidth = 7;

function dataset(set, { labels, times, open = -1 }) {
  const own = set.color();
  const data = times ? set.values.map((y, index) => ({ x: times[index], y })) : set.values;
  const common = { label: set.name, data, backgroundColor: own };
  if (times && set.kind === "range") return { ...bars(set, own, common, open), data, barThickness: rangeWidth };
  if (set.kind === "line" || set.kind === "points") return line(set, own, (times ?? labels).length, common, times);
  return bars(set, own, common, open);
}

function line({ kind, dashed, dash = false, side, spanGaps, order = -1 }, own, count, common, times) {
  const radius = count > 60 ? 1.5 : 3;
  return {
    ...common,
    type: "line",
    borderColor: own,
    borderWidth: kind === "points" ? 0 : 2,
    borderDash: dashed || dash ? [5, 5] : [],
    ...(side && { yAxisID: side }),
    showLine: kind === "line",
    pointRadius: dashed ? 0 : radius,
    pointHoverRadius: 5,
    spanGaps: spanGaps ?? !times,
    order,
  };
}

function bars({ kind, values }, own, common, open) {
  const isRange = kind === "range";
  const colors = open < 0 ? own : values.map((_, index) => (index === open ? faded(own) : own));
  return {
    ...common,
    // A bar has a least length, and nothing has no bar.
    data: isRange ? values : values.map((value) => value || null),
    backgroundColor: colors,
    hoverBackgroundColor: colors,
    grouped: !isRange,
    borderRadius: isRange ? 6 : { topLeft: 4, topRight: 4 },
    borderSkipped: false,
    maxBarThickness: isRange ? 12 : 28,
    minBarLength: 2,
    categoryPercentage: 0.84,
    barPercentage: 0.9,
    order: 0,
  };
}
