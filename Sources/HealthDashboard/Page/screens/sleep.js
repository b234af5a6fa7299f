// Sleep over any range, and each night.

import { choose } from "../app/address.js";
import * as api from "../app/api.js";
import { addDays, dateIn, dateOf, daysBetween, hourOf, instant, noon, startOfMonth } from "../app/calendar.js";
import { html, put } from "../app/dom.js";
import { axisDurations, count, date, dateRange, duration, percent, timeOfDay } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import {
  allDataLink,
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
import { firstDay, PagedScreen } from "../components/paged-screen.js";
import { dayLink } from "../components/ring-day.js";
import { nightPicture, sleepLegend, stagesIn } from "../components/sleep-stages.js";
import { sectionLinks } from "../components/trend-sections.js";

const spans = [
  ["7", localized("1 week")],
  ["28", localized("4 weeks")],
  ["84", localized("12 weeks")],
  ["365", localized("1 year")],
];
const usualSpan = "28";
const mostDays = 40000;
/** A chart of more days has a bar for each month. */
const mostBars = 400;

/** Fetches and shows a span of nights, and remembers what was chosen while the screen is shown. */
class SleepScreen extends PagedScreen {
  constructor(context) {
    const { period, night } = context.chosen;
    super(context, { days: isLength(Number(period)) ? Number(period) : Number(usualSpan), night: dateIn(night) });
    this.controls = html("div.row.apart");
    this.from = html("input.compact", {
      type: "date",
      "aria-label": localized("First day"),
      min: firstDay,
      onchange: () => this.beginAt(this.from.value),
    });
    this.field.ariaLabel = localized("Last day");
    this.field.before(this.from);
    this.pager.lastElementChild.classList.add("range");
    this.chart = new LargeChart();
    this.signal.addEventListener("abort", () => this.chart.destroy());
    this.summary = html("div.summary", skeleton("title"));
    this.legend = html("div");
    this.nightCard = card(localized("Night"), { tone: "sleep", symbol: "moon" }, skeleton("block"));
    this.list = card(localized("Nights"), { tone: "sleep", symbol: "moon" }, skeleton("line", "line", "line"));
  }

  async start() {
    this.showSpans();
    put(
      this.main,
      head(localized("Sleep"), {
        eyebrow: backLink("trends", localized("Trends")),
        actions: [allDataLink("HKCategoryTypeIdentifierSleepAnalysis"), liveMark()],
      }),
      html(
        "div.stack",
        sectionLinks("sleep"),
        html(
          "section.card.sleep.main-chart",
          { "aria-label": localized("Sleep over time") },
          this.controls,
          this.pager,
          this.note,
          this.summary,
          this.chart.element,
          this.legend,
        ),
        html("div.grid", this.nightCard.element, this.list.element),
      ),
    );
    live.listen((types) => {
      if (types.size === 0 || [...types].some((type) => type.endsWith("SleepAnalysis"))) this.load();
    }, this.signal);
    await this.load();
  }

  showSpans() {
    const choose = (value) => this.change({ days: Number(value) });
    put(this.controls, segmented(localized("Period"), spans, String(this.days), choose));
  }

  /** Shows the nights from a day to the last one that is shown. */
  beginAt(day) {
    const days = daysBetween(day, this.field.value) + 1;
    if (!this.from.validity.valid || !isLength(days)) return;
    this.change({ days, day: this.field.value < dateOf() ? this.field.value : this.present });
    this.showSpans();
  }

  get choices() {
    return { period: String(this.days) !== usualSpan && this.days, night: this.night };
  }

  spanAt(day = dateOf()) {
    const end = addDays(day, 1);
    return { start: addDays(end, -this.days), end };
  }

  async load() {
    const isShown = this.beginLoad();
    const summary = { show: (...parts) => put(this.summary, ...parts) };
    await attempt([summary], this.signal, async () => {
      const { types } = await api.read("types");
      if (!isShown()) return;
      const known = types.find(({ type }) => type.endsWith("SleepAnalysis"));
      const { start: first, end } = this.spanWith(known && dateOf(new Date(known.endDate)));
      const last = addDays(end, -1);
      const isFirst = known && first <= dateOf(new Date(known.startDate));
      if (this.from.value !== first) this.from.value = first;
      this.from.max = last;
      this.showPeriod(dateRange(noon(first), noon(last)), { isFirst });
      // The night that is shown is read with its segments; all of them would be large.
      const parameters = { start: instant(first), end: instant(addDays(last, 1)), segments: false };
      const answer = await api.read("sleep", parameters);
      if (!isShown()) return;
      const nights = answer.nights.filter((night) => night.main);
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
    this.chart.clear();
    this.nightCard.show(empty(localized("No night chosen"), localized("Choose a night from the list.")));
    this.list.show(empty(localized("No nights"), ""));
  }

  async show(nights, { averages, longestNight }, first, last) {
    const inBed = nights.filter((night) => !(night.main.timeAsleep > 0)).length;
    const only = count(
      inBed,
      "{count} night has only the time in bed. It isn’t in the averages of sleep.",
      "{count} nights have only the time in bed. They aren’t in the averages of sleep.",
    );
    put(
      this.summary,
      averageFigures(averages, nights, nights.find((night) => night.date === longestNight)),
      inBed > 0 && html("p.muted.small", { "data-in-bed": inBed }, only),
    );
    const asleepIn = ({ awake: _awake, inBed: _inBed, ...asleep }) => asleep;
    put(this.legend, sleepLegend(asleepIn(averages.stages)));
    // The averages of stages are those of nights with stages.
    const stages = stagesIn(Object.assign({}, ...nights.map(({ main }) => asleepIn(withTime(main.stages)))));
    this.showChart(nights, averages, stages, first, last);
    const newest = [...nights].reverse();
    this.list.show(foldedList(localized("All nights of the period"), newest.map((night) => this.row(night))));
    await this.open(newest.find((night) => night.date === this.night) ?? newest[0]);
  }

  /** A bar for each night, or for the average of each month; of nights without sleep, the time in bed. */
  showChart(nights, averages, stages, first, last) {
    const isByMonth = this.days > mostBars;
    const keyOf = (day) => isByMonth ? startOfMonth(day) : day;
    const groups = Map.groupBy(nights, (night) => keyOf(night.date));
    const keys = [];
    for (let day = first; day <= last; day = addDays(day, 1)) {
      if (keys.at(-1) !== keyOf(day)) keys.push(keyOf(day));
    }
    const isAsleep = ({ main }) => main.timeAsleep > 0;
    const mean = (found, seconds) =>
      found.length > 0 ? found.reduce((sum, { main }) => sum + seconds(main), 0) / found.length / 3600 : null;
    const hours = (key, wanted, seconds) => mean((groups.get(key) ?? []).filter(wanted), seconds) || null;
    const set = ({ key, name }) => ({
      kind: "bars",
      name,
      color: () => color(`stage-${key}`),
      values: keys.map((day) => hours(day, isAsleep, (main) => main.stages[key] ?? 0)),
    });
    // A month with sleep has no bar of the nights without.
    const isOnlyInBed = (day) => !groups.get(day)?.some(isAsleep);
    const inBed = {
      kind: "bars",
      name: localized("In Bed"),
      color: () => color("stage-bed"),
      values: keys.map((day) => isOnlyInBed(day) ? hours(day, () => true, (main) => main.timeInBed) : null),
    };
    const labelStyle = isByMonth ? "monthYear" : this.days === 7 ? "weekday" : "short";
    this.chart.show({
      labels: keys.map((day) => date(noon(day), labelStyle)),
      stacked: true,
      sets: [...stages.map(set).reverse(), ...(inBed.values.some(Boolean) ? [inBed] : [])],
      format: (value) => duration(value * 3600),
      axis: axisDurations,
      title: (index) => date(noon(keys[index]), isByMonth ? "month" : "day"),
      label: localized("Sleep from {start} to {end}, on average {mean}. The list has all nights.", {
        start: date(noon(first)),
        end: date(noon(last)),
        mean: lengthOf(averages.timeAsleep),
      }),
    });
  }

  row({ date: day, main: { startDate, endDate, timeAsleep, timeInBed } }) {
    const isAsleep = timeAsleep > 0;
    const times = `${date(startDate, "time")} – ${date(endDate, "time")}`;
    const button = html(
      "button.rowlike",
      {
        type: "button",
        "data-night": day,
        onclick: () => this.chooseNight(day),
      },
      titled(date(noon(day), "weekdayDay"), isAsleep ? times : `${times} · ${localized("only in bed")}`),
      html("span.value", { class: isAsleep ? "" : "muted" }, duration(isAsleep ? timeAsleep : timeInBed)),
    );
    return html("li", button);
  }

  chooseNight(night) {
    this.night = night;
    choose({ ...this.choices, date: this.day });
    return attempt([this.nightCard], this.signal, () => this.open({ date: night }));
  }

  /** Shows a night with its stages. */
  async open({ date: day }) {
    this.shownNight = day;
    for (const button of this.list.element.querySelectorAll("[data-night]")) {
      button.setAttribute("aria-pressed", String(button.dataset.night === day));
    }
    const answer = await api.read("sleep", { start: instant(day), end: instant(addDays(day, 1)) });
    const night = answer.nights.find((one) => one.date === day);
    if (this.signal.aborted || this.shownNight !== day || !night) return;
    this.nightCard.element.querySelector("h2").lastChild.textContent = localized("Night ending {date}", {
      date: date(noon(day), "weekdayDay"),
    });
    this.nightCard.show(...nightDetails(night));
  }
}

const isLength = (days) => Number.isInteger(days) && days > 0 && days <= mostDays;

/** The stages in which there was time. */
const withTime = (stages) => Object.fromEntries(Object.entries(stages).filter(([, seconds]) => seconds > 0));

/** A length of time, if it is known. */
const lengthOf = (seconds) => seconds > 0 ? duration(seconds) : "–";

function averageFigures({ timeAsleep, timeInBed, startTime, endTime }, nights, longest) {
  const varies = (mean, key) => variation(mean, nights.map(({ main }) => hourOf(main[key]) * 3600));
  return figures([
    [localized("Asleep"), lengthOf(timeAsleep), null, "sleep"],
    [localized("In bed"), duration(timeInBed)],
    [localized("To bed"), timeOfDay(startTime), varies(startTime, "startDate")],
    [localized("Up"), timeOfDay(endTime), varies(endTime, "endDate")],
    longest && [localized("Longest night"), duration(longest.main.timeAsleep)],
  ]);
}

/** How far times of day are from their mean: ± 35 min, their standard deviation on the clock’s face. */
function variation(mean, times) {
  if (mean === undefined || times.length < 3) return null;
  const half = 43200;
  const squares = times.map((time) => ((time - mean + 3 * half) % (2 * half) - half) ** 2);
  return `± ${duration(Math.sqrt(squares.reduce((sum, one) => sum + one, 0) / (times.length - 1)))}`;
}

/** A night as a picture, its figures and where they are from. */
function nightDetails({ date: day, main, napTime }) {
  const link = dayLink(day);
  const sources = main.sources.map(({ source }) => source).join(", ");
  return [
    nightPicture(main),
    sleepLegend(main.stages),
    figures([
      [localized("Asleep"), lengthOf(main.timeAsleep)],
      [localized("In bed"), duration(main.timeInBed)],
      [localized("Efficiency"), main.efficiency === undefined ? "–" : percent(main.efficiency)],
      napTime > 0 && [localized("Naps"), duration(napTime)],
    ]),
    html("p.muted.small", sources && localized("From {sources}", { sources }), link && [sources && " · ", link]),
  ];
}

export async function render(context) {
  await new SleepScreen(context).start();
}
