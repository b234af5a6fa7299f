// Sleep over weeks, and each night.

import * as api from "../app/api.js";
import { addDays, dateOf, instant, noon } from "../app/calendar.js";
import { html, put } from "../app/dom.js";
import { axisDurations, date, dateRange, duration, percent, timeOfDay } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import {
  attempt,
  backLink,
  card,
  empty,
  figures,
  foldedList,
  head,
  liveMark,
  nothingYet,
  skeleton,
  titled,
} from "../components/cards.js";
import { color, LargeChart } from "../components/charts.js";
import { segmented } from "../components/controls.js";
import { PagedScreen } from "../components/paged-screen.js";
import { nightPicture, sleepLegend, stagesIn } from "../components/sleep-stages.js";
import { sectionLinks } from "./trends.js";

const spans = [["7", localized("1 week")], ["28", localized("4 weeks")], ["84", localized("12 weeks")]];

/** Fetches and shows a span of nights, and remembers what was chosen while the screen is shown. */
class SleepScreen extends PagedScreen {
  constructor({ main, signal }) {
    super({ main, signal }, { days: 28 });
    this.chart = new LargeChart();
    signal.addEventListener("abort", () => this.chart.destroy());
    this.summary = html("div.summary", skeleton("title"));
    this.legend = html("div");
    this.night = card(localized("Night"), { tone: "sleep", symbol: "moon" }, skeleton("block"));
    this.list = card(localized("Nights"), { tone: "sleep", symbol: "moon" }, skeleton("line", "line", "line"));
  }

  async start() {
    const span = segmented(localized("Period"), spans, String(this.days), (value) => {
      this.change({ days: Number(value), back: 0 });
    });
    put(
      this.main,
      head(localized("Sleep"), { eyebrow: backLink("trends", localized("Trends")), actions: [liveMark()] }),
      html(
        "div.stack",
        sectionLinks("sleep"),
        html(
          "section.card.sleep.main-chart",
          { "aria-label": localized("Sleep over weeks") },
          html("div.row.apart", span),
          this.pager,
          this.summary,
          this.chart.element,
          this.legend,
        ),
        html("div.grid", this.night.element, this.list.element),
      ),
    );
    live.listen((types) => {
      if (types.size === 0 || [...types].some((type) => type.endsWith("SleepAnalysis"))) this.load();
    }, this.signal);
    await this.load();
  }

  async load() {
    const last = addDays(dateOf(), -this.days * this.back);
    const first = addDays(last, 1 - this.days);
    const isShown = this.beginLoad();
    this.showPeriod(dateRange(noon(first), noon(last)));
    const summary = { show: (...parts) => put(this.summary, ...parts) };
    await attempt([summary], this.signal, async () => {
      // The night that is shown is read with its segments; all of them would be large.
      const parameters = { start: instant(first), end: instant(addDays(last, 1)), segments: false };
      const answer = await api.read("sleep", parameters);
      if (!isShown()) return;
      const nights = answer.nights.filter((night) => night.main?.timeAsleep > 0);
      if (nights.length === 0) this.showNone();
      else await this.show(nights, answer, first, last);
    });
  }

  showNone() {
    const text = localized(
      "Nights come from an Apple Watch, an iPhone’s sleep schedule or another app. Go back in time, or " +
        "import an export.",
    );
    put(this.summary, nothingYet(localized("No sleep in this period"), text));
    put(this.legend);
    this.night.show(empty(localized("No night chosen"), localized("Choose a night from the list.")));
    this.list.show(empty(localized("No nights"), ""));
  }

  async show(nights, { averages, longestNight }, first, last) {
    put(this.summary, averageFigures(averages, nights.find((night) => night.date === longestNight)));
    const { awake: _awake, inBed: _inBed, ...asleep } = averages.stages;
    put(this.legend, sleepLegend(asleep));
    this.showChart(nights, averages, stagesIn(asleep), first, last);
    const newest = [...nights].reverse();
    this.list.show(foldedList(localized("All nights of the period"), newest.map((night) => this.row(night))));
    await this.open(newest.find((night) => night.date === this.chosen) ?? newest[0]);
  }

  showChart(nights, averages, stages, first, last) {
    const byDate = new Map(nights.map((night) => [night.date, night.main.stages]));
    const dates = [];
    for (let day = first; day <= last; day = addDays(day, 1)) dates.push(day);
    const set = ({ key, name }) => ({
      kind: "bars",
      name,
      color: () => color(`stage-${key}`),
      values: dates.map((day) => byDate.get(day)?.[key] / 3600 || null),
    });
    const mean = duration(averages.timeAsleep);
    this.chart.show({
      labels: dates.map((day) => date(noon(day), this.days === 7 ? "weekday" : "short")),
      stacked: true,
      sets: stages.map(set).reverse(),
      format: (hours) => duration(hours * 3600),
      axis: axisDurations,
      title: (index) => date(noon(dates[index]), "day"),
      label: localized("Sleep from {start} to {end}, on average {mean}. The list has all nights.", {
        start: date(noon(first)),
        end: date(noon(last)),
        mean,
      }),
    });
  }

  row({ date: day, main: { startDate, endDate, timeAsleep } }) {
    const times = `${date(startDate, "time")} – ${date(endDate, "time")}`;
    const button = html(
      "button.rowlike",
      {
        type: "button",
        "data-night": day,
        onclick: () => attempt([this.night], this.signal, () => this.open({ date: day })),
      },
      titled(date(noon(day), "weekdayDay"), times),
      html("span.value", duration(timeAsleep)),
    );
    return html("li", button);
  }

  /** Shows a night with its stages. */
  async open({ date: day }) {
    this.chosen = day;
    for (const button of this.list.element.querySelectorAll("[data-night]")) {
      button.setAttribute("aria-pressed", String(button.dataset.night === day));
    }
    const answer = await api.read("sleep", { start: instant(day), end: instant(addDays(day, 1)) });
    const night = answer.nights.find((one) => one.date === day);
    if (this.signal.aborted || this.chosen !== day || !night) return;
    this.night.element.querySelector("h2").lastChild.textContent = localized("Night ending {date}", {
      date: date(noon(day), "weekdayDay"),
    });
    this.night.show(...nightDetails(night));
  }
}

function averageFigures({ timeAsleep, timeInBed, startTime, endTime }, longest) {
  return figures([
    [localized("Asleep"), duration(timeAsleep), null, "sleep"],
    [localized("In bed"), duration(timeInBed)],
    [localized("To bed"), timeOfDay(startTime)],
    [localized("Up"), timeOfDay(endTime)],
    longest && [localized("Longest night"), duration(longest.main.timeAsleep)],
  ]);
}

/** A night as a picture, its figures and where they are from. */
function nightDetails({ main, napTime }) {
  const sources = main.sources.map(({ source }) => source).join(", ");
  return [
    nightPicture(main),
    sleepLegend(main.stages),
    figures([
      [localized("Asleep"), duration(main.timeAsleep)],
      [localized("In bed"), duration(main.timeInBed)],
      [localized("Efficiency"), main.efficiency === undefined ? "–" : percent(main.efficiency)],
      napTime > 0 && [localized("Naps"), duration(napTime)],
    ]),
    sources && html("p.muted.small", localized("From {sources}", { sources })),
  ];
}

export async function render(context) {
  await new SleepScreen(context).start();
}
