// Workouts: twelve weeks, and a list of all or of those of an activity, a year, a length and a distance, with sums.

import { choose } from "../app/address.js";
import * as api from "../app/api.js";
import { addDays, dateOf, instant, noon, startOfWeek } from "../app/calendar.js";
import { html, icon, put, withdraw } from "../app/dom.js";
import { axisTexts, clock, count, date, dateRange, duration, number, paceUnit, quantity } from "../app/format.js";
import { locale, localized } from "../app/language.js";
import { live } from "../app/live.js";
import { words, workoutIcon } from "../app/types.js";
import {
  allDataLink,
  attempt,
  backLink,
  figures,
  head,
  liveMark,
  nothingYet,
  quantityFigure,
  skeleton,
  titled,
} from "../components/cards.js";
import { color, LargeChart } from "../components/charts.js";
import { compactSelect } from "../components/controls.js";
import { PagedScreen } from "../components/paged-screen.js";
import { trainingLoad } from "../components/training-load.js";
import { sectionLinks } from "../components/trend-sections.js";
import { valueTable } from "../components/value-table.js";

const pageSize = 15;
const weekCount = 12;
const workoutType = "HKWorkoutTypeIdentifier";
/** The least minutes, and the least distances in the person's unit, to choose from. */
const lengths = [20, 30, 45, 60, 90, 120, 180];
const distances = [3, 5, 10, 15, 20, 40, 80];

class WorkoutScreen extends PagedScreen {
  constructor(context) {
    const { activity, year, minutes, distance, shown } = context.chosen;
    super(context, { activity, year: yearIn(year), minutes: numberOf(minutes), distance: numberOf(distance) });
    this.shown = Math.max(pageSize, numberOf(shown) ?? 0);
    this.chart = new LargeChart({ height: "mid" });
    this.signal.addEventListener("abort", () => this.chart.destroy());
    this.loads = trainingLoad(this.signal);
    this.values = html("div");
    this.summary = html("div.summary", skeleton("title"));
    this.filters = html("div.row.filters");
    this.sums = html("div.sums");
    this.list = html("ul.list", { "aria-busy": "true" }, skeleton("line", "line", "line", "line"));
    const more = { type: "button", hidden: true, onclick: () => this.showMore() };
    this.more = html("button.button", more, localized("Earlier workouts"));
  }

  async start() {
    put(
      this.main,
      head(localized("Workouts"), {
        eyebrow: backLink("trends", localized("Trends")),
        actions: [allDataLink(workoutType), liveMark()],
      }),
      html(
        "div.stack",
        sectionLinks("workouts"),
        html(
          "section.card.activity.main-chart",
          { "aria-label": localized("Twelve weeks") },
          html("h2", localized("Twelve weeks, minutes a week")),
          this.pager,
          this.note,
          this.summary,
          this.chart.element,
          this.values,
        ),
        this.loads.element,
        html(
          "section.card.activity",
          { "aria-label": localized("All workouts") },
          html("header", html("h2", icon("workout"), localized("All workouts"))),
          this.filters,
          this.sums,
          this.list,
          this.more,
        ),
      ),
    );
    live.listen((types) => {
      if (types.size === 0 || [...types].some((type) => type.startsWith("HKWorkout"))) this.load();
    }, this.signal);
    await this.load();
  }

  get choices() {
    const { activity, year, minutes, distance } = this;
    return { activity, year, minutes, distance, shown: this.shown > pageSize && this.shown };
  }

  spanAt(day = dateOf()) {
    const first = startOfWeek(day);
    return { start: addDays(first, 7 * (1 - weekCount)), end: addDays(first, 7) };
  }

  load() {
    const isShown = this.beginLoad();
    return attempt([{ show: (...parts) => put(this.summary, ...parts) }], this.signal, async () => {
      const { types } = await api.read("types");
      if (!isShown()) return;
      const known = types.find(({ type }) => type === workoutType);
      const { start, end } = this.spanWith(known && dateOf(new Date(known.endDate)));
      const isFirst = !known || start <= dateOf(new Date(known.startDate));
      this.showPeriod(dateRange(noon(start), noon(addDays(end, -1))), { isFirst });
      const tomorrow = addDays(dateOf(), 1);
      const range = { start: instant(start), end: instant(end < tomorrow ? end : tomorrow) };
      await Promise.all([this.loadWeeks(range, isShown), this.loads.load(range), this.loadList(isShown)]);
    });
  }

  async loadWeeks(range, isShown) {
    const { weeks, summary, ...average } = await api.read("workouts/weeks", range);
    if (!isShown()) return;
    const none = localized("No workouts in twelve weeks");
    put(this.summary, summary.count > 0 ? weekFigures(summary, average) : noWorkouts(none));
    const starts = weeks.map((week) => dateOf(new Date(week.startDate)));
    const open = Date.parse(weeks.at(-1)?.endDate) > Date.now() ? weeks.length - 1 : -1;
    const weekName = (index) => {
      const week = dateRange(noon(starts[index]), noon(addDays(starts[index], 6)), "short");
      return index === open ? localized("{period} so far", { period: week }) : week;
    };
    put(this.values, valueTable(localized("Workout time by week"), [localized("Week"), localized("Time")], () =>
      weeks.map((week, index) => [weekName(index), duration(week.duration)]).reverse()));
    const texts = weeks.map((week, index) => `${date(noon(starts[index]), "short")} ${duration(week.duration)}`);
    this.chart.show({
      labels: starts.map((day) => date(noon(day), "short")),
      sets: [{
        kind: "bars",
        name: localized("Time"),
        color: () => color("activity"),
        values: weeks.map((week) => week.duration / 60),
      }],
      format: (minutes) => duration(minutes * 60),
      axis: (minutes) => axisTexts(minutes, "min"),
      open,
      title: weekName,
      label: localized("Workout time by week: {weeks}", { weeks: texts.join(", ") }),
    });
  }

  // The list

  /** Shows the workouts of the filter: all that have it with their sums, or without one the latest. */
  async loadList(isShown) {
    const { activity, year, minutes, distance } = this;
    const isFiltered = Boolean(activity ?? year ?? minutes ?? distance);
    const within = year && { start: instant(`${year}-01-01`), end: instant(`${Number(year) + 1}-01-01`) };
    const [years, answer] = await Promise.all([
      api.read("workouts/weeks", { interval: "year" }),
      api.read("workouts", { limit: isFiltered ? 0 : this.shown, activityType: activity, ...within }),
    ]);
    if (!isShown()) return;
    this.showFilters(years);
    const isChosen = (workout) =>
      workout.duration >= 60 * (minutes ?? 0) && (!distance || workout.totalDistance?.quantity >= distance);
    const workouts = isFiltered ? answer.workouts.filter(isChosen) : answer.workouts;
    const total = isFiltered ? workouts.length : answer.count;
    put(this.sums, isFiltered && sumFigures(workouts));
    this.list.removeAttribute("aria-busy");
    const none = isFiltered
      ? html("p.muted", localized("No workout is like this."))
      : noWorkouts(localized("No workouts yet"));
    put(this.list, total > 0 ? workouts.slice(0, this.shown).map(workoutRow) : html("li", none));
    const firstNew = this.list.children[this.shown - pageSize]?.querySelector("a");
    withdraw(this.more, "hidden", this.shown >= total, firstNew);
  }

  showMore() {
    this.shown += pageSize;
    choose({ ...this.choices, date: this.day }, { replaces: true });
    const box = { show: (...parts) => put(this.sums, ...parts) };
    return attempt([box], this.signal, () => this.loadList(this.beginLoad()));
  }

  showFilters({ weeks: years, summary }) {
    if (summary.count === 0) return;
    const activities = new Set(years.flatMap((year) => year.activities.map((one) => one.workoutActivityTypeName)));
    const names = [...activities].map((name) => [name, words(name)]).sort(([, a], [, b]) => a.localeCompare(b, locale));
    const counted = years.filter((year) => year.count > 0).map((year) => dateOf(new Date(year.startDate)).slice(0, 4));
    const unit = summary.totalDistance?.unit ?? "km";
    const least = (text) => localized("From {value}", { value: text });
    const filter = (label, key, all, options) =>
      compactSelect(label, [["", all], ...options], this[key] ?? "", (value) =>
        this.change({ [key]: value || undefined, shown: pageSize }));
    put(
      this.filters,
      filter(localized("Activity"), "activity", localized("All activities"), names),
      filter(localized("Year"), "year", localized("All years"), counted.reverse().map((year) => [year, year])),
      filter(localized("Length"), "minutes", localized("Any length"),
        lengths.map((minutes) => [minutes, least(duration(minutes * 60))])),
      filter(localized("Distance"), "distance", localized("Any distance"),
        distances.map((distance) => [distance, least(quantity(distance, unit))])),
    );
  }
}

const yearIn = (text) => /^\d{4}$/.test(text ?? "") ? text : undefined;
const numberOf = (text) => Number(text) > 0 ? Number(text) : undefined;

/** The sums of workouts. */
function sumFigures(workouts) {
  const sum = (key) => {
    const found = workouts.map((workout) => workout[key]).filter(Boolean);
    if (found.length === 0) return null;
    return { quantity: found.reduce((total, one) => total + one.quantity, 0), unit: found[0].unit };
  };
  const [distance, energy] = [sum("totalDistance"), sum("totalEnergyBurned")];
  return figures([
    [localized("Workouts"), number(workouts.length)],
    [localized("Time"), duration(workouts.reduce((total, one) => total + one.duration, 0))],
    distance && quantityFigure(localized("Distance"), distance),
    energy && quantityFigure(localized("Energy"), energy),
    fastestFigure(workouts.filter(({ pace }) => pace)),
  ]);
}

/** The best pace, and the way to its workout; nothing if the paces are of several kinds. */
function fastestFigure(workouts) {
  const [first, ...others] = workouts.toSorted((one, other) => one.pace.quantity - other.pace.quantity);
  if (!first || others.some(({ pace }) => pace.unit !== first.pace.unit)) return null;
  const { uuid, startDate, pace } = first;
  const text = clock(pace.quantity);
  const label = localized("{pace}: workout of {date}", { pace: text, date: date(startDate) });
  return [
    localized("Fastest"),
    html("a", { href: `#/trends/workout/${uuid}`, "aria-label": label }, text),
    paceUnit(pace.unit),
  ];
}

function weekFigures(summary, { averageWeek, wholeWeeks }) {
  return figures([
    [localized("Workouts"), number(summary.count)],
    [localized("Time"), duration(summary.duration)],
    quantityFigure(localized("Energy"), summary.totalEnergyBurned),
    averageWeek !== undefined && [
      count(wholeWeeks, "Average of {count} whole week", "Average of {count} whole weeks"),
      duration(averageWeek),
    ],
  ]);
}

function noWorkouts(title) {
  const link = html("a.button.small", { href: "#/journal/workout" }, localized("Log a workout"));
  return nothingYet(title, localized("They come with an import or a synced iPhone, and from the journal."), link);
}

function workoutRow({ uuid, workoutActivityTypeName: name, startDate, duration: seconds, ...totals }) {
  const { totalDistance: distance, totalEnergyBurned: energy } = totals;
  const facts = [date(startDate, "moment"), duration(seconds), energy && quantity(energy.quantity, energy.unit)];
  return html(
    "li",
    html(
      "a",
      { href: `#/trends/workout/${uuid}` },
      html("span.badge.activity", icon(workoutIcon(name))),
      titled(words(name), facts.filter(Boolean).join(" · ")),
      html("span.value", distance ? quantity(distance.quantity, distance.unit) : duration(seconds)),
      icon("right", "muted"),
    ),
  );
}

export async function render(context) {
  await new WorkoutScreen(context).start();
}
