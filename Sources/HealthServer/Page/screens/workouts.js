// Workouts: the last twelve weeks, and a list of all.

import * as api from "../app/api.js";
import { addDays, dateOf, instant, noon, startOfWeek } from "../app/calendar.js";
import { html, icon, put, withdraw } from "../app/dom.js";
import { axisTexts, count, date, dateRange, duration, number, quantity } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import { words, workoutIcon } from "../app/types.js";
import {
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
import { trainingLoad } from "../components/training-load.js";
import { valueTable } from "../components/value-table.js";
import { sectionLinks } from "./trends.js";

const pageSize = 15;
const weekCount = 12;

export async function render({ main, signal }) {
  const chart = new LargeChart({ height: "mid" });
  const loads = trainingLoad(signal);
  const values = html("div");
  signal.addEventListener("abort", () => chart.destroy());
  const summary = html("div.summary", skeleton("title"));
  const list = html("ul.list", { "aria-busy": "true" }, skeleton("line", "line", "line", "line"));
  const more = html("button.button", { type: "button", hidden: true }, localized("Earlier workouts"));
  put(
    main,
    head(localized("Workouts"), { eyebrow: backLink("trends", localized("Trends")), actions: [liveMark()] }),
    html(
      "div.stack",
      sectionLinks("workouts"),
      html(
        "section.card.activity.main-chart",
        { "aria-label": localized("Twelve weeks") },
        html("h2", localized("Twelve weeks, minutes a week")),
        summary,
        chart.element,
        values,
      ),
      loads.element,
      html(
        "section.card.activity",
        { "aria-label": localized("All workouts") },
        html("header", html("h2", icon("workout"), localized("All workouts"))),
        list,
        more,
      ),
    ),
  );
  const place = { show: (...parts) => put(summary, ...parts) };
  const showMore = () =>
    attempt([place], signal, async () => {
      await loadList(list, more, list.children.length, signal);
    });
  const load = () =>
    attempt([place], signal, async () => {
      await Promise.all([
        loadWeeks(summary, chart, values, signal),
        loads.load(shownWeeks()),
        loadList(list, more, 0, signal),
      ]);
    });
  more.addEventListener("click", showMore);
  live.listen((types) => {
    if (types.size === 0 || [...types].some((type) => type.startsWith("HKWorkout"))) load();
  }, signal);
  await load();
}

/** The range of the weeks, with today. */
function shownWeeks() {
  const today = dateOf();
  return { start: instant(addDays(startOfWeek(today), 7 * (1 - weekCount))), end: instant(addDays(today, 1)) };
}

async function loadWeeks(place, chart, values, signal) {
  const { weeks, summary, ...average } = await api.read("workouts/weeks", shownWeeks());
  if (signal.aborted) return;
  put(place, summary.count > 0 ? weekFigures(summary, average) : noWorkouts(localized("No workouts in twelve weeks")));
  const starts = weeks.map((week) => dateOf(new Date(week.startDate)));
  const weekName = (index) => {
    const week = dateRange(noon(starts[index]), noon(addDays(starts[index], 6)), "short");
    return index === weeks.length - 1 ? localized("{period} so far", { period: week }) : week;
  };
  put(values, valueTable(localized("Workout time by week"), [localized("Week"), localized("Time")], () =>
    weeks.map((week, index) => [weekName(index), duration(week.duration)]).reverse()));
  chart.show({
    labels: starts.map((day) => date(noon(day), "short")),
    sets: [{
      kind: "bars",
      name: localized("Time"),
      color: () => color("activity"),
      values: weeks.map((week) => week.duration / 60),
    }],
    format: (minutes) => duration(minutes * 60),
    axis: (minutes) => axisTexts(minutes, "min"),
    open: weeks.length - 1,
    title: weekName,
    label: localized("Workout time by week: {weeks}", {
      weeks: weeks.map((week, index) => `${date(noon(starts[index]), "short")} ${duration(week.duration)}`).join(", "),
    }),
  });
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

/** Appends the workouts from `offset` on to the list; shows them alone if they are the first. */
async function loadList(list, more, offset, signal) {
  const { workouts, count: total } = await api.read("workouts", { limit: pageSize, offset });
  if (signal.aborted) return;
  list.removeAttribute("aria-busy");
  if (offset === 0) put(list);
  list.append(...workouts.map(workoutRow));
  if (total === 0) put(list, html("li", noWorkouts(localized("No workouts yet"))));
  const isAll = offset + workouts.length >= total;
  withdraw(more, "hidden", isAll, list.children[offset]?.querySelector("a"));
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
