// Today: the rings, energy, steps, heart, last night and the latest workout, each against the person's last four weeks.

import * as api from "../app/api.js";
import { live } from "../app/live.js";
import { addDays, dateOf, hourOf, instant, noon } from "../app/calendar.js";
import { debounced, html, icon, put, svg } from "../app/dom.js";
import { ago, date, duration, number, percent, quantity, shortDuration, signed } from "../app/format.js";
import { readToday } from "../app/insights.js";
import { words, workoutIcon } from "../app/types.js";
import { card, comparison, empty, failure, figure, figures, head, liveMark, skeleton } from "../components/cards.js";
import { field, numberInput, readNumber } from "../components/controls.js";
import { toast } from "../components/dialogs.js";
import { hourBars, hourRanges, plot } from "../components/plots.js";
import { hypnogram, stages } from "../components/sleep-stages.js";
import { ActivityRings, ringsLabel, smallRings } from "../components/rings.js";
import { characteristicField } from "./profile.js";
import { openDay, ringFigures } from "./rings.js";

export async function render({ main, signal }) {
  const today = dateOf();
  const rings = new ActivityRings();
  const activity = card(
    "Activity",
    { symbol: "today", className: "rings-card", aside: html("a", { href: "#/trends/rings" }, "Calendar") },
    html("div.rings-body", rings.element, ringFigures(undefined, { move: null, exercise: null, stand: null })),
    html("ol.week", skeletonWeek(today)),
  );
  const energy = card("Energy balance", {
    tone: "nutrition",
    symbol: "balance",
    aside: html("a", { href: "#/journal/food" }, "Log food"),
  }, skeleton("title", "line", "line", "line"));
  const steps = card(
    "Steps",
    { tone: "activity", symbol: "steps", aside: link("stepCount") },
    skeleton("title", "line", "block"),
  );
  const heart = card(
    "Heart rate",
    { tone: "heart", symbol: "heart", aside: link("heartRate") },
    skeleton("title", "line", "block"),
  );
  const sleep = card("Last night", {
    tone: "sleep",
    symbol: "moon",
    aside: html("a", { href: "#/trends/sleep" }, "All nights"),
  }, skeleton("title", "line", "block"));
  const workout = card("Latest workout", {
    tone: "activity",
    symbol: "workout",
    aside: html("a", { href: "#/trends/workouts" }, "All workouts"),
  }, skeleton("title", "line", "line"));
  put(
    main,
    head("Today", { eyebrow: date(noon(today), "day"), actions: [liveMark()] }),
    html(
      "div.grid.today",
      activity.element,
      energy.element,
      steps.element,
      heart.element,
      workout.element,
      sleep.element,
    ),
  );

  const attempt = (boxes, work) =>
    work().catch((error) => {
      if (!signal.aborted && error.name !== "AbortError") {
        for (const box of boxes) {
          box.show(failure(error, () => attempt(boxes, work)));
        }
      }
    });
  let summary = null;
  const load = async () => {
    await Promise.all([
      attempt([energy, workout, sleep], async () => {
        summary = await readToday();
        if (signal.aborted) return;
        showEnergy(energy, summary, load);
        showWorkout(workout, summary);
        showSleep(sleep, summary);
      }),
      attempt([activity], () => showRings(activity, rings, today, signal)),
    ]);
    if (signal.aborted || !summary) return;
    await Promise.all([
      attempt([steps], () => showSteps(steps, summary, today, signal)),
      attempt([heart], () => showHeart(heart, summary, today, signal)),
    ]);
    if (!signal.aborted && (await isEmpty(summary))) location.replace("#/welcome");
  };
  live.listen(debounced(() => !signal.aborted && load(), 120), signal);
  // Resting energy grows with the day.
  const timer = setInterval(() => {
    api.forget();
    load();
  }, 60000);
  signal.addEventListener("abort", () => clearInterval(timer));
  await load();
}

const link = (type) =>
  html(
    "a",
    { href: `#/trends/type/HKQuantityTypeIdentifier${type.charAt(0).toUpperCase()}${type.slice(1)}/day` },
    "Trend",
  );

async function isEmpty(summary) {
  if (summary.steps.value !== null || summary.heartRate || summary.workout || summary.energy.consumed > 0) return false;
  return (await api.read("types")).types.length === 0;
}

/** The days of the week so far that have no rings yet. */
function skeletonWeek(today) {
  return Array.from(
    { length: 7 },
    (_, index) => html("li", date(noon(addDays(today, index - 6)), "weekday").slice(0, 2), smallRings({})),
  );
}

async function showRings(box, rings, today, signal) {
  const answer = await api.read("activity-summaries", {
    start: instant(addDays(today, -28)),
    end: instant(addDays(today, 1)),
  });
  if (signal.aborted) return;
  const days = new Map(answer.activitySummaries.map((summary) => [summary.date, summary]));
  const before = answer.activitySummaries.filter((summary) => summary.date < today);
  const mean = (
    value,
  ) => (before.length ? before.reduce((sum, summary) => sum + value(summary), 0) / before.length : null);
  const isTime = days.get(today)?.activityMoveMode === 2;
  const usual = {
    move: mean((summary) => (isTime ? summary.appleMoveTime : summary.activeEnergyBurned)?.quantity ?? 0),
    exercise: mean((summary) => summary.appleExerciseTime?.quantity ?? 0),
    stand: mean((summary) => summary.appleStandHours?.quantity ?? 0),
  };
  const week = Array.from({ length: 7 }, (_, index) => addDays(today, index - 6)).map((day) =>
    html(
      "li",
      { "aria-current": day === today ? "date" : null },
      html(
        "button.bare",
        {
          type: "button",
          "aria-label": `${date(noon(day), "day")}: ${days.has(day) ? ringsLabel(days.get(day).rings) : "no data"}`,
          onclick: () => openDay(day, days.get(day)),
        },
        html("span", { "aria-hidden": "true" }, date(noon(day), "weekday").slice(0, 2)),
        smallRings(days.get(day)?.rings),
      ),
    )
  );
  put(box.body, html("div.rings-body", rings.element, ringFigures(days.get(today), usual)), html("ol.week", week));
  rings.show(days.get(today)?.rings ?? {});
}

function showEnergy(box, { energy }, load) {
  const unit = energy.unit;
  const burned = energy.active + (energy.resting ?? 0);
  const top = Math.max(burned, energy.consumed, 1);
  const row = (name, parts) =>
    html(
      "div",
      html(
        "div.row.apart.small",
        html("span.muted", name),
        html("b", `${number(parts.reduce((sum, part) => sum + part.value, 0))} ${unit}`),
      ),
      plot(`${name}: ${number(parts.reduce((sum, part) => sum + part.value, 0))} ${unit}`, 12, (picture, width) => {
        picture.append(svg("rect", { width, height: 12, rx: 6, fill: "var(--inset)" }));
        let x = 0;
        for (const part of parts) {
          const length = (width * part.value) / top;
          if (length > 1) {
            picture.append(svg("rect", { x, width: Math.max(6, length - 2), height: 12, rx: 6, fill: part.color }));
          }
          x += length;
        }
      }),
    );
  const list = figures([
    ["Active", number(energy.active), null, "activity"],
    ["Resting", energy.resting === null ? "–" : number(energy.resting), null, "mobility"],
    ["Consumed", number(energy.consumed), null, "nutrition"],
  ]);
  [...list.children].forEach((element, index) => {
    element.dataset.figure = ["active", "resting", "consumed"][index];
  });
  const net = energy.resting === null ? null : energy.consumed - energy.active - energy.resting;
  const usual = Number.isFinite(energy.usualConsumed)
    ? `Usually ${number(energy.usualConsumed)} ${unit} eaten and ${number(energy.usualActive)} ${unit} active a day.`
    : "No 4-week average yet.";
  const top_ = net === null ? missingFields(energy.missing, load) : html(
    "div",
    { "data-figure": "net" },
    figure(signed(net), `${unit} net`, "big"),
    html("p.delta", net < 0 ? "Burned more than eaten so far" : "Eaten more than burned so far"),
  );
  if (net === null && box.body.querySelector("form")?.contains(document.activeElement)) return;
  box.show(
    top_,
    row("Burned", [{ value: energy.active, color: "var(--activity)" }, {
      value: energy.resting ?? 0,
      color: "var(--mobility)",
    }]),
    row("Consumed", [{ value: energy.consumed, color: "var(--nutrition)" }]),
    list,
    html("p.muted.small", usual),
  );
}

/** Asks for what the resting energy needs, where it would stand. */
function missingFields(missing, load) {
  const weight = missing.includes("weight") && numberInput({ min: 1, max: 700 });
  const height = missing.includes("height") && numberInput({ min: 30, max: 280 });
  const saved = () => {
    api.forget();
    load();
  };
  const characteristics = missing.filter((name) => name === "dateOfBirth" || name === "biologicalSex").map((name) =>
    characteristicField(name, {}, saved)
  );
  return html(
    "form.stack",
    {
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        const values = [weight, height].map((input) => (input ? readNumber(input) : null));
        if (values.includes(undefined)) return;
        const startDate = new Date().toISOString();
        try {
          await api.save(
            [
              values[0] && { type: "bodyMass", quantity: values[0], unit: "kg", startDate },
              values[1] && { type: "height", quantity: values[1], unit: "cm", startDate },
            ].filter(Boolean),
          );
          saved();
        } catch (error) {
          toast(error.message);
        }
      },
    },
    html(
      "p.small",
      html("b", "Your resting energy needs a little more"),
      html("br"),
      "It is calculated from weight, height, age and sex.",
    ),
    html(
      "div.fields",
      weight && field("Weight", weight, { unit: "kg" }),
      height && field("Height", height, { unit: "cm" }),
      characteristics,
    ),
    (weight || height) && html("div", html("button.button.primary.small", { type: "submit" }, "Save")),
  );
}

async function showSteps(box, { steps }, today, signal) {
  const [now, usual] = await Promise.all([
    api.read("statistics/collection", {
      type: "stepCount",
      interval: "hour",
      start: instant(today),
      end: instant(addDays(today, 1)),
      options: "sum",
    }),
    api.read("statistics/collection", {
      type: "stepCount",
      interval: "hour",
      start: instant(addDays(today, -7)),
      end: instant(today),
      options: "sum",
    }),
  ]);
  if (signal.aborted) return;
  const sums = (answer) => {
    const values = Array(24).fill(0);
    for (const statistic of answer.statistics) {
      values[Math.floor(hourOf(statistic.startDate))] += statistic.sumQuantity ?? 0;
    }
    return values;
  };
  if (steps.value === null && !usual.statistics.length) {
    box.show(
      empty(
        "No steps yet",
        "They come from a phone or a watch. Import an export, or sync an iPhone.",
        html("a.button.small", { href: "#/data" }, "Import"),
      ),
    );
    return;
  }
  box.show(
    html("div", { "data-figure": "steps" }, figure(number(steps.value ?? 0), "steps", "big")),
    comparison(steps.value ?? 0, steps.usualByNow ?? steps.usual, {
      than: steps.usualByNow ? "your usual by this time" : "your 4-week average",
    }),
    hourBars(
      "Steps by hour today, before the average of the last seven days",
      sums(now),
      sums(usual).map((value) => value / 7),
    ),
    html("p.muted.small.foot", `4-week average ${number(steps.usual)} a day`),
  );
}

async function showHeart(box, { heartRate }, today, signal) {
  if (!heartRate) {
    box.show(empty("No heart rate today", "It appears when a watch or a chest strap has measured it."));
    return;
  }
  const answer = await api.read("statistics/collection", {
    type: "heartRate",
    interval: "30m",
    start: instant(today),
    end: instant(addDays(today, 1)),
    options: "min,max",
  });
  if (signal.aborted) return;
  const points = answer.statistics.map((statistic) => ({
    hour: hourOf(statistic.startDate),
    low: statistic.minimumQuantity,
    high: statistic.maximumQuantity,
  }));
  box.show(
    html(
      "div",
      { "data-figure": "heart" },
      figure(`${number(heartRate.minimum)}–${number(heartRate.maximum)}`, "bpm today", "big"),
    ),
    html("p.delta", html("b", `${number(heartRate.latest)} bpm`), ` ${ago(heartRate.latestDate)}`),
    points.length > 0 &&
      hourRanges(
        `Heart rate today from ${number(heartRate.minimum)} to ${number(heartRate.maximum)} beats per minute`,
        points,
        (value) => number(value),
        { slots: 48 },
      ),
    html(
      "p.muted.small.foot",
      heartRate.resting
        ? `Resting ${number(heartRate.resting)} bpm, 4-week average ${number(heartRate.usualResting)}`
        : `4-week average ${number(heartRate.usual)} bpm`,
    ),
  );
}

function showSleep(box, { sleep, usualSleep }) {
  if (!sleep || !(sleep.asleep > 0)) {
    box.show(
      empty(
        "No sleep recorded last night",
        "A watch or an app records it. Earlier nights are under Trends.",
        html("a.button.small", { href: "#/trends/sleep" }, "Earlier nights"),
      ),
    );
    return;
  }
  const used = stages.filter((stage) => sleep.byStage[stage.key] > 0);
  box.show(
    html(
      "div.row.apart",
      html(
        "div",
        { "data-figure": "sleep" },
        figure(duration(sleep.asleep), "asleep", "big"),
        comparison(sleep.asleep, usualSleep?.asleep, { format: duration }),
      ),
      html(
        "p.muted.small",
        `${date(new Date(sleep.start), "time")}–${date(new Date(sleep.end), "time")}`,
        html("br"),
        sleep.efficiency === undefined ? "" : `${percent(sleep.efficiency)} of the time in bed`,
      ),
    ),
    hypnogram(
      `Stages of sleep: ${used.map((stage) => `${stage.name} ${duration(sleep.byStage[stage.key])}`).join(", ")}`,
      sleep.segments,
      (time) => date(new Date(time), "time"),
    ),
    html(
      "ul.legend",
      used.map((stage) =>
        html(
          "li",
          html("span.dot", { class: `stage-${stage.key}` }),
          stage.name,
          html("b", shortDuration(sleep.byStage[stage.key])),
        )
      ),
    ),
  );
}

const apart = (text) => [text.slice(0, text.lastIndexOf(" ")), text.slice(text.lastIndexOf(" ") + 1)];

function showWorkout(box, { workout, usualWorkout }) {
  if (!workout) {
    box.show(
      empty(
        "No workout yet",
        "Log one in the journal, or sync an iPhone.",
        html("a.button.small", { href: "#/journal/workout" }, "Log a workout"),
      ),
    );
    return;
  }
  box.show(
    html(
      "a.row.plainlink",
      { href: `#/trends/workout/${workout.uuid}` },
      html("span.badge", icon(workoutIcon(workout.name))),
      html(
        "span.text",
        html("b", words(workout.name)),
        html("br"),
        html("span.muted.small", `${ago(workout.startDate)}, ${date(workout.startDate, "time")}`),
      ),
    ),
    figures([
      ["Time", shortDuration(workout.duration)],
      workout.distance && ["Distance", ...apart(quantity(workout.distance.quantity, workout.distance.unit))],
      workout.energy && ["Energy", number(workout.energy.quantity), "kcal"],
      workout.averageHeartRate && ["Heart rate", number(workout.averageHeartRate), "bpm"],
    ]),
    usualWorkout
      ? comparison(workout.duration, usualWorkout.duration, { format: duration, than: "your 4-week average" })
      : html("p.delta", "No 4-week average yet"),
  );
}
