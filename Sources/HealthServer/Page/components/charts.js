// Large charts with Chart.js, which Debian's package libjs-chart.js installs; the server offers it at /vendor/chart.js.

import { html, put } from "../app/dom.js";
import { empty } from "./cards.js";

let library = null;

/** Loads Chart.js once. Answers `null` if the server doesn't have it. */
export function loadCharts() {
  library ??= new Promise((resolve) => {
    const script = html("script", {
      src: "/vendor/chart.js",
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

/** The value of a color of the style sheet, for a canvas. */
export function color(name, alpha = 1) {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  if (alpha === 1 || !/^#[0-9a-f]{6}$/i.test(value)) return value;
  const [r, g, b] = [1, 3, 5].map((index) => parseInt(value.slice(index, index + 2), 16));
  return `rgb(${r} ${g} ${b} / ${alpha})`;
}

const resolve = (value) => (typeof value === "function" ? value() : value);

/**
 * A chart with labels below. Each data set has `kind` ("bars", "range", "line" or "points"), `values` (numbers, or
 * `[low, high]` for ranges), `color` (a function, as colors depend on the theme) and `name`.
 */
export class LargeChart {
  constructor({ height = "", label = "Chart" } = {}) {
    this.canvas = html("canvas", { role: "img", "aria-label": label });
    this.element = html("div.chart", { class: height }, this.canvas);
    this.chart = null;
    this.content = null;
    this.onTheme = () => this.content && this.show(this.content);
    document.addEventListener("themechange", this.onTheme);
  }

  /** Shows `labels` and `sets`; `format(value)` writes values, and `title(index)` the heads of tooltips. */
  async show(content) {
    this.content = content;
    const Chart = await loadCharts();
    if (!Chart) {
      put(
        this.element,
        empty(
          "Charts are not installed",
          "Install the package libjs-chart.js on the machine that runs hk serve and load this page again. " +
            "The table has all the values.",
        ),
      );
      return;
    }
    if (this.content !== content || !this.canvas.isConnected) return;
    const configuration = this.configuration(content);
    if (this.chart) {
      this.chart.data = configuration.data;
      this.chart.options = configuration.options;
      this.chart.update("none");
    } else {
      this.chart = new Chart(this.canvas, configuration);
    }
    this.canvas.setAttribute("aria-label", content.label);
  }

  destroy() {
    document.removeEventListener("themechange", this.onTheme);
    this.chart?.destroy();
    this.chart = null;
  }

  configuration({ labels, sets, format, title, stacked = false, begin = null, end = null }) {
    const ink = color("ink-2");
    const line = color("line");
    const font = { family: getComputedStyle(document.body).fontFamily, size: 12 };
    const hasBars = sets.some((set) => set.kind === "bars");
    return {
      type: "bar",
      data: { labels, datasets: sets.map((set) => this.dataset(set, labels.length)) },
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        normalized: true,
        interaction: { mode: "index", intersect: false },
        layout: { padding: { top: 8 } },
        scales: {
          x: {
            stacked,
            grid: { display: false, drawBorder: false },
            ticks: { color: ink, font, maxRotation: 0, autoSkip: true, autoSkipPadding: 14 },
          },
          y: {
            stacked,
            beginAtZero: hasBars,
            position: "right",
            suggestedMin: begin ?? undefined,
            suggestedMax: end ?? undefined,
            grace: hasBars ? 0 : "4%",
            grid: { color: line, drawBorder: false, drawTicks: false },
            ticks: { color: ink, font, maxTicksLimit: 8, padding: 8, callback: (value) => format(value, true) },
          },
        },
        plugins: {
          legend: { display: false },
          tooltip: {
            backgroundColor: "#23262d",
            titleColor: "#ffffff",
            bodyColor: "#ffffff",
            padding: 12,
            cornerRadius: 10,
            displayColors: sets.length > 1,
            boxPadding: 6,
            titleFont: { ...font, weight: 600 },
            bodyFont: { ...font, size: 14 },
            callbacks: {
              title: ([item]) => (item && title ? title(item.dataIndex) : item?.label),
              label: (item) => {
                const set = sets[item.datasetIndex];
                const value = set.values[item.dataIndex];
                if (value === null || value === undefined) return "";
                const text = Array.isArray(value) ? `${format(value[0])}–${format(value[1])}` : format(value);
                return sets.length > 1 && set.name ? `${set.name}: ${text}` : text;
              },
            },
          },
        },
      },
    };
  }

  dataset(set, count) {
    const main = resolve(set.color);
    const common = { label: set.name, data: set.values, order: set.order ?? 0 };
    if (set.kind === "line" || set.kind === "points") {
      return {
        ...common,
        type: "line",
        borderColor: main,
        backgroundColor: main,
        borderWidth: set.kind === "points" ? 0 : 2,
        showLine: set.kind === "line",
        borderDash: set.dashed ? [5, 5] : [],
        pointRadius: set.dashed ? 0 : count > 60 ? 1.5 : 3,
        pointHoverRadius: 5,
        spanGaps: true,
        tension: 0.25,
        order: set.order ?? -1,
      };
    }
    return {
      ...common,
      grouped: set.kind !== "range",
      backgroundColor: main,
      hoverBackgroundColor: main,
      borderRadius: set.kind === "range" ? 6 : { topLeft: 4, topRight: 4 },
      borderSkipped: false,
      maxBarThickness: set.kind === "range" ? 12 : 28,
      minBarLength: 2,
      categoryPercentage: 0.84,
      barPercentage: 0.9,
    };
  }
}
