// A calendar of activity rings.

import * as api from "../app/api.js";
import { live } from "../app/live.js";
import { addDays, addMonths, dateOf, instant, noon, startOfMonth } from "../app/calendar.js";
import { html, icon, put } from "../app/dom.js";
import { date, number, percent } from "../app/format.js";
import { empty, failure, head, liveMark, skeleton } from "../components/cards.js";
import { openDialog } from "../components/dialogs.js";
import { ActivityRings, ringsLabel, smallRings } from "../components/rings.js";
import { sectionLinks } from "./trends.js";

/** The values of a day with their goals, as lines beside its rings. */
export function ringFigures(summary, usual = {}) {
  const isTime = summary?.activityMoveMode === 2;
  const line = (tone, name, value, goal, unit, average) =>
    html(
      "div",
      { class: tone },
      html("dt", name),
      html(
        "dd",
        number(value?.quantity ?? 0),
        html("small", goal ? `/${number(goal.quantity)} ${unit}` : ` ${unit}`),
        average !== undefined && html("span.usual", average === null ? "" : `4-week average ${number(average)}`),
      ),
    );
  return html(
    "dl.figures",
    isTime
      ? line("move", "Move", summary?.appleMoveTime, summary?.appleMoveTimeGoal, "min", usual.move)
      : line("move", "Move", summary?.activeEnergyBurned, summary?.activeEnergyBurnedGoal, "kcal", usual.move),
    line("exercise", "Exercise", summary?.appleExerciseTime, summary?.exerciseTimeGoal, "min", usual.exercise),
    line("stand", "Stand", summary?.appleStandHours, summary?.standHoursGoal, "h", usual.stand),
  );
}

/** Opens one day. */
export function openDay(day, summary) {
  const rings = new ActivityRings();
  openDialog(date(noon(day), "day"), {
    build: () => html("div.card.rings-card", html("div.rings-body", rings.element, ringFigures(summary))),
  });
  rings.show(summary?.rings ?? {});
}

export async function render({ main, signal }) {
  let months = 6;
  const grid = html("div.months", skeleton("block", "block", "block"));
  const figures = html("dl.figures");
  const more = html("button.button", {
    type: "button",
    onclick: () => {
      months += 6;
      load();
    },
  }, "Earlier months");
  put(
    main,
    head("Activity rings", {
      eyebrow: html("a", { href: "#/trends" }, icon("left", "small"), "Trends"),
      actions: [liveMark()],
    }),
    html(
      "div.stack",
      sectionLinks("rings"),
      html("section.card.rings-card", { "aria-label": "Calendar of rings" }, figures, grid),
      html("div.row", more),
    ),
  );
  const load = async () => {
    const today = dateOf();
    const first = addMonths(startOfMonth(today), 1 - months);
    try {
      // Six months at a time, so that no answer is large.
      const spans = [];
      for (let start = first; start <= today; start = addMonths(start, 3)) spans.push([start, addMonths(start, 3)]);
      const answers = await Promise.all(
        spans.map(([start, end]) =>
          api.read("activity-summaries", { start: instant(start), end: instant(end > today ? addDays(today, 1) : end) })
        ),
      );
      if (signal.aborted) return;
      const days = new Map(
        answers.flatMap((answer) => answer.activitySummaries).map((summary) => [summary.date, summary]),
      );
      if (days.size === 0) {
        put(grid, empty("No rings yet", "Rings come from an Apple Watch, through an import or a synced iPhone."));
        put(figures);
        return;
      }
      show(days, first, today);
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") put(grid, failure(error, load));
    }
  };
  const show = (days, first, today) => {
    const all = [...days.values()];
    const closed = (summary) => ["move", "exercise", "stand"].every((ring) => (summary.rings?.[ring] ?? 0) >= 1);
    const share = (ring) => all.filter((summary) => (summary.rings?.[ring] ?? 0) >= 1).length / all.length;
    put(
      figures,
      [
        ["All three closed", number(all.filter(closed).length), `of ${number(all.length)} days`, ""],
        ["Move closed", percent(share("move")), "", "move"],
        ["Exercise closed", percent(share("exercise")), "", "exercise"],
        ["Stand closed", percent(share("stand")), "", "stand"],
        ["Longest run", number(longest(days)), "days", ""],
      ]
        .map(([name, value, unit, tone]) =>
          html("div", { class: tone }, html("dt", name), html("dd", value, unit && html("small", ` ${unit}`)))
        ),
    );
    const names = Array.from({ length: 7 }, (_, index) => date(noon(addDays("2024-01-01", index)), "weekday"));
    const list = [];
    for (let month = startOfMonth(today); month >= first; month = addMonths(month, -1)) {
      const blanks = (new Date(`${month}T00:00:00Z`).getUTCDay() + 6) % 7;
      const cells = names.map((name) => html("li.name", { "aria-hidden": "true" }, name.slice(0, 2)));
      for (let blank = 0; blank < blanks; blank += 1) cells.push(html("li", { "aria-hidden": "true" }));
      for (let day = month; day < addMonths(month, 1); day = addDays(day, 1)) {
        const summary = days.get(day);
        const label = `${date(noon(day), "day")}: ${summary ? ringsLabel(summary.rings) : "no data"}`;
        cells.push(
          html(
            "li",
            day > today ? html("span.tiny", Number(day.slice(8))) : html(
              "button",
              {
                type: "button",
                "aria-label": label,
                onclick: () => openDay(day, summary),
              },
              html("span", { "aria-hidden": "true" }, Number(day.slice(8))),
              smallRings(summary?.rings),
            ),
          ),
        );
      }
      list.push(
        html(
          "section.month",
          { "aria-label": date(noon(month), "month") },
          html("h2", date(noon(month), "month")),
          html("ol", cells),
        ),
      );
    }
    put(grid, list);
  };
  live.listen((types) => {
    if (types.size === 0 || [...types].some((type) => /ActivitySummary|ActiveEnergy|Exercise|Stand/.test(type))) load();
  }, signal);
  await load();
}

/** The longest run of days on which all three rings were closed. */
function longest(days) {
  let best = 0;
  let run = 0;
  let before = "";
  for (const day of [...days.keys()].sort()) {
    const closed = ["move", "exercise", "stand"].every((ring) => (days.get(day).rings?.[ring] ?? 0) >= 1);
    run = closed ? (addDays(before || day, 1) === day ? run + 1 : 1) : 0;
    before = day;
    best = Math.max(best, run);
  }
  return best;
}
