// Workouts: the last weeks, and a list of all.

import * as api from "../app/api.js";
import { live } from "../app/live.js";
import { addDays, dateOf, instant, noon, startOfWeek } from "../app/calendar.js";
import { html, icon, put } from "../app/dom.js";
import { date, dateRange, duration, number, quantity, shortDuration } from "../app/format.js";
import { words, workoutIcon } from "../app/types.js";
import { color, LargeChart } from "../components/charts.js";
import { empty, failure, figures, head, liveMark, skeleton } from "../components/cards.js";
import { sectionLinks } from "./trends.js";

const pageSize = 15;

/** One line of a list of workouts. */
export function workoutRow(workout) {
  const facts = [
    duration(workout.duration),
    workout.totalEnergyBurned && quantity(workout.totalEnergyBurned.quantity, workout.totalEnergyBurned.unit),
  ].filter(Boolean).join(" · ");
  return html(
    "li",
    html(
      "a",
      { href: `#/trends/workout/${workout.uuid}` },
      html("span.badge.activity", icon(workoutIcon(workout.workoutActivityTypeName))),
      html(
        "span.text",
        html("span.title", words(workout.workoutActivityTypeName)),
        html("br"),
        html("span.detail", `${date(workout.startDate, "moment")} · ${facts}`),
      ),
      html(
        "span.value",
        workout.totalDistance
          ? quantity(workout.totalDistance.quantity, workout.totalDistance.unit)
          : duration(workout.duration),
      ),
      icon("right", "muted"),
    ),
  );
}

export async function render({ main, signal }) {
  const weeks = 12;
  const chart = new LargeChart({ height: "mid" });
  signal.addEventListener("abort", () => chart.destroy());
  const summary = html("div.summary", skeleton("title"));
  const list = html("ul.list", { "aria-busy": "true" }, skeleton("line", "line", "line", "line"));
  const more = html("button.button", { type: "button", hidden: true }, "Earlier workouts");
  put(
    main,
    head("Workouts", {
      eyebrow: html("a", { href: "#/trends" }, icon("left", "small"), "Trends"),
      actions: [liveMark()],
    }),
    html(
      "div.stack",
      sectionLinks("workouts"),
      html(
        "section.card.activity.main-chart",
        { "aria-label": "Twelve weeks" },
        html("h2", "Twelve weeks, minutes a week"),
        summary,
        chart.element,
      ),
      html(
        "section.card.activity",
        { "aria-label": "All workouts" },
        html("header", html("h2", icon("workout"), "All workouts")),
        list,
        more,
      ),
    ),
  );

  const loadWeeks = async () => {
    const first = addDays(startOfWeek(dateOf()), -7 * (weeks - 1));
    const found = [];
    let cursor;
    // A workout with its statistics and events has some kilobytes, so they come in small pages.
    for (let page = 0; page < 10; page += 1) {
      const answer = await api.read("workouts", { start: instant(first), limit: pageSize, cursor });
      if (signal.aborted) return;
      found.push(...answer.workouts);
      cursor = answer.nextCursor;
      if (!cursor) break;
    }
    const starts = Array.from({ length: weeks }, (_, index) => addDays(first, 7 * index));
    const values = starts.map(() => 0);
    for (const workout of found) {
      const index = starts.indexOf(startOfWeek(dateOf(new Date(workout.startDate))));
      if (index >= 0) values[index] += workout.duration / 60;
    }
    const energy = found.reduce((sum, workout) => sum + (workout.totalEnergyBurned?.quantity ?? 0), 0);
    put(
      summary,
      found.length
        ? figures([
          ["Workouts", number(found.length)],
          ["Time", shortDuration(60 * values.reduce((sum, value) => sum + value, 0))],
          ["Energy", number(energy), "kcal"],
          [
            "A week",
            shortDuration((60 * values.reduce((sum, value) => sum + value, 0)) / weeks),
          ],
        ])
        : empty(
          "No workouts in twelve weeks",
          "Log one in the journal, or sync an iPhone.",
          html("a.button.small", { href: "#/journal/workout" }, "Log a workout"),
        ),
    );
    chart.show({
      labels: starts.map((day) => date(noon(day), "short")),
      sets: [{ kind: "bars", name: "Time", color: () => color("activity"), values }],
      format: (value, isAxis) => (isAxis ? number(value) : duration(value * 60)),
      title: (index) => dateRange(noon(starts[index]), noon(addDays(starts[index], 6)), "short"),
      label: `Workout time in the last ${weeks} weeks`,
    });
  };

  let cursor;
  const loadList = async (isFirst = true) => {
    const answer = await api.read("workouts", { limit: pageSize, cursor: isFirst ? undefined : cursor });
    if (signal.aborted) return;
    cursor = answer.nextCursor;
    list.removeAttribute("aria-busy");
    if (isFirst) put(list);
    list.append(...answer.workouts.map(workoutRow));
    if (isFirst && answer.workouts.length === 0) {
      put(
        list,
        html("li", empty("No workouts yet", "They come with an import or a synced iPhone, and from the journal.")),
      );
    }
    more.hidden = !cursor;
  };
  more.addEventListener("click", () => loadList(false));
  const load = () =>
    Promise.all([loadWeeks(), loadList()]).catch((error) => {
      if (!signal.aborted && error.name !== "AbortError") put(summary, failure(error, load));
    });
  live.listen((types) => {
    if (types.size === 0 || [...types].some((type) => type.startsWith("HKWorkout"))) load();
  }, signal);
  await load();
}
