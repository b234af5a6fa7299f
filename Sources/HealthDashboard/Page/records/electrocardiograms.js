// Electrocardiograms on the paper of a cardiologist: 25 mm a second, 10 mm a millivolt.

import * as api from "../app/api.js";
import { html, icon, put, svg } from "../app/dom.js";
import { date, number, percent, unitName } from "../app/format.js";
import { localized } from "../app/language.js";
import { words } from "../app/types.js";
import { figures, scrollArea } from "../components/cards.js";
import { segmented } from "../components/controls.js";
import { addCursor } from "../components/cursor.js";
import { valueTable } from "../components/value-table.js";

const millimetersPerSecond = 25;
const millimetersPerMillivolt = 10;
/** The pixels of a millimeter on a screen, as CSS has them. */
const pixelsPerMillimeter = 96 / 25.4;
const zooms = [0.5, 1, 2].map((zoom) => [`${zoom}`, percent(zoom)]);
/** What a strip shows above and below its baseline at least, in millivolts. */
const leastRange = [-1, 1.5];

const classifications = {
  notSet: localized("No classification"),
  sinusRhythm: localized("Sinus rhythm"),
  atrialFibrillation: localized("Atrial fibrillation"),
  inconclusiveLowHeartRate: localized("Inconclusive: low heart rate"),
  inconclusiveHighHeartRate: localized("Inconclusive: high heart rate"),
  inconclusivePoorReading: localized("Inconclusive: poor recording"),
  inconclusiveOther: localized("Inconclusive"),
  unrecognized: localized("Unrecognized"),
};
const symptoms = { notSet: localized("Not recorded"), none: localized("None"), present: localized("Reported") };

export const classification = ({ classificationName: name = "notSet" }) => classifications[name] ?? words(name);
const heartRate = ({ averageHeartRate: rate }) => rate && `${number(rate.quantity ?? rate)} ${unitName("count/min")}`;

export const row = (sample) => ({ title: classification(sample), value: heartRate(sample) });

export async function details(sample) {
  const [recording, measured] = await Promise.all([
    api.read(`electrocardiograms/${sample.uuid}`),
    measuredRate(sample),
  ]);
  const rate = heartRate(recording) ?? measured;
  const frequency = recording.samplingFrequency?.quantity;
  const paper = html("div.ecg");
  const strips = stripsOf(recording);
  const draw = (zoom) => put(paper, strips.draw(pixelsPerMillimeter * zoom, paper.clientWidth || 320));
  let zoom = 1;
  new ResizeObserver(([entry]) => {
    if (Math.abs(entry.contentRect.width - paper.drawnWidth) < 2 || entry.contentRect.width < 20) return;
    paper.drawnWidth = entry.contentRect.width;
    draw(zoom);
  }).observe(paper);
  paper.drawnWidth = 0;
  const symptom = symptoms[recording.symptomsStatusName] ?? symptoms.notSet;
  return [
    figures([
      [localized("Classification"), classification(recording)],
      [localized("Average heart rate"), rate ?? "–"],
      [localized("Symptoms"), symptom],
      [localized("Duration"), `${number(strips.seconds)} s`],
    ], "worded"),
    html(
      "div.row.apart",
      segmented(localized("Zoom"), zooms, "1", (value) => draw(zoom = Number(value))),
      html(
        "button.button",
        { type: "button", onclick: () => printRecording(recording, rate, strips) },
        icon("print"),
        localized("Print"),
      ),
    ),
    paper,
    html(
      "p.muted.small",
      localized("Lead I, 25 mm/s, 10 mm/mV{rate}. A large square is 0.2 s and 0.5 mV.", {
        rate: frequency ? `, ${number(frequency)} Hz` : "",
      }),
    ),
    valueTable(
      localized("Voltages of each second"),
      [localized("Second"), localized("Lowest (mV)"), localized("Highest (mV)")],
      () => strips.rows(),
    ),
  ];
}

/** The heart rate of the time of a recording that doesn't say its own, as those of an archive don't. */
async function measuredRate({ averageHeartRate, startDate, endDate }) {
  if (averageHeartRate) return undefined;
  const parameters = { type: "HKQuantityTypeIdentifierHeartRate", options: "average", start: startDate, end: endDate };
  const { statistics } = await api.read("statistics", parameters);
  const average = statistics[0]?.averageQuantity;
  return average === undefined ? undefined : `${number(average)} ${unitName("count/min")}`;
}

function stripsOf({ voltageMeasurements = {} }) {
  const { timeSinceSampleStart: times = [], appleWatchSimilarToLeadI: volts = [] } = voltageMeasurements;
  return new Strips(times, volts.map((value) => value === null ? null : value * 1000));
}

/** A recording cut into strips that fit. */
class Strips {
  constructor(times, millivolts) {
    Object.assign(this, { times, millivolts });
    const known = millivolts.filter((value) => value !== null);
    const reach = known.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], leastRange);
    // Whole large squares, of half a millivolt.
    this.low = Math.floor(reach[0] * 2) / 2;
    this.high = Math.ceil(reach[1] * 2) / 2;
    this.seconds = times.at(-1) ?? 0;
  }

  draw(scale, width) {
    const each = Math.max(1, Math.floor(width / (millimetersPerSecond * scale)));
    return this.strips(each).map((strip) => {
      const picture = this.strip(strip, scale, `${strip.seconds * millimetersPerSecond * scale}`);
      const mark = svg("line.mark", { y1: 0, y2: this.height, visibility: "hidden" });
      picture.append(mark);
      const place = (index) => (this.times[strip.from + index] - strip.start) / strip.seconds;
      const count = strip.to - strip.from;
      const step = Math.max(1, Math.round(count / (strip.seconds * 25)));
      const shown = Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
      const places = shown.map(place);
      return addCursor(picture, {
        label: localized("Electrocardiogram from second {start} to {end}", {
          start: number(strip.start),
          end: number(strip.start + strip.seconds),
        }),
        count: shown.length,
        places: () => places,
        text: (index) => {
          const value = this.millivolts[strip.from + shown[index]];
          const time = number(this.times[strip.from + shown[index]], 2);
          return `${time} s · ${value === null ? "–" : `${number(value, 2)} mV`}`;
        },
        onmove: (index) => {
          mark.setAttribute("visibility", index < 0 ? "hidden" : "visible");
          const place = places[Math.max(0, index)] * strip.seconds * millimetersPerSecond;
          for (const name of ["x1", "x2"]) mark.setAttribute(name, place);
        },
      });
    });
  }

  get height() {
    return (this.high - this.low) * millimetersPerMillivolt;
  }

  /** The parts of `seconds` each; the last one is as long as the others, so that all have one scale. */
  strips(seconds) {
    const count = Math.max(1, Math.ceil((this.seconds - 0.05) / seconds));
    return Array.from({ length: count }, (_, index) => {
      const start = index * seconds;
      const from = this.times.findIndex((time) => time >= start);
      const next = this.times.findIndex((time) => time >= start + seconds);
      return { start, seconds, from: Math.max(0, from), to: next < 0 ? this.times.length : next };
    });
  }

  /** A strip in millimeters. */
  strip({ start, seconds, from, to }, scale, width, height = `${this.height * scale}`) {
    const long = seconds * millimetersPerSecond;
    const picture = svg("svg.paper", { viewBox: `0 0 ${long} ${this.height}`, width, height });
    const lines = (step, className) => {
      let path = "";
      for (let x = 0; x <= long; x += step) path += `M${x} 0V${this.height}`;
      for (let y = 0; y <= this.height; y += step) path += `M0 ${y}H${long}`;
      picture.append(svg("path", { class: className, d: path }));
    };
    if (scale >= 2.5) lines(1, "fine");
    lines(5, "coarse");
    let [path, isDown] = ["", false];
    for (let index = from; index < to; index += 1) {
      const value = this.millivolts[index];
      if (value === null || value === undefined) {
        isDown = false;
        continue;
      }
      const x = (this.times[index] - start) * millimetersPerSecond;
      const y = (this.high - value) * millimetersPerMillivolt;
      path += `${isDown ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`;
      isDown = true;
    }
    picture.append(svg("path.trace", { d: path }));
    return picture;
  }

  rows() {
    return Array.from({ length: Math.ceil(this.seconds) }, (_, second) => {
      const values = this.millivolts.filter((value, index) =>
        value !== null && this.times[index] >= second && this.times[index] < second + 1
      );
      const text = (of) => values.length > 0 ? number(of(...values), 2) : "–";
      return [number(second), text(Math.min), text(Math.max)];
    });
  }
}

/** The strips of a recording at their true scale, of some seconds each. */
const trueStrips = (strips, seconds) =>
  strips.strips(seconds).map((strip) => {
    const width = `${seconds * millimetersPerSecond}mm`;
    const picture = strips.strip(strip, pixelsPerMillimeter, width, `${strips.height}mm`);
    picture.setAttribute("aria-hidden", "true");
    return picture;
  });

/** What stands with a recording on paper. */
const printedFacts = (recording, rate) =>
  [
    classification(recording),
    rate && `⌀ ${rate}`,
    `${localized("Symptoms")}: ${symptoms[recording.symptomsStatusName] ?? symptoms.notSet}`,
  ].filter(Boolean).join(" · ");

const printedTitle = ({ startDate, source }) => `${date(startDate, "date")}, ${date(startDate, "time")} · ${source}`;

/** As long as a page is wide that stands upright. */
const secondsOfReportedStrip = 7;

/** A recording in the report, at its true scale. */
export async function reportedRecording(sample) {
  const [recording, measured] = await Promise.all([
    api.read(`electrocardiograms/${sample.uuid}`),
    measuredRate(sample),
  ]);
  const title = printedTitle(recording);
  return html(
    "div.recording",
    html("h4", title),
    html("p.small", printedFacts(recording, heartRate(recording) ?? measured)),
    scrollArea(title, html("div.strips", trueStrips(stripsOf(recording), secondsOfReportedStrip))),
    html("p.small", localized("Lead I, 25 mm/s, 10 mm/mV")),
  );
}

const secondsOfPrintedStrip = 10;

/** Prints a recording on a separate sheet, at its true scale. */
function printRecording(recording, rate, strips) {
  const sheet = html(
    "section.sheet",
    html("h1", localized("Electrocardiogram")),
    html("p", printedTitle(recording)),
    html("p", printedFacts(recording, rate)),
    trueStrips(strips, secondsOfPrintedStrip),
    html("p", localized("Lead I, 25 mm/s, 10 mm/mV")),
  );
  document.body.append(sheet);
  document.documentElement.classList.add("prints-sheet");
  const end = () => {
    document.documentElement.classList.remove("prints-sheet");
    sheet.remove();
  };
  addEventListener("afterprint", end, { once: true });
  print();
}
