// Today or another day: the rings, energy, steps, heart rate, the night before and the latest workout, each against
// the four weeks before.

import { addressOf } from "../app/address.js";
import * as api from "../app/api.js";
import { addDays, dateOf, hourOf, noon } from "../app/calendar.js";
import { debounced, html, icon, put, svg, withdraw } from "../app/dom.js";
import { ago, date, daysAgo, duration, number, percent, rangeAndUnit } from "../app/format.js";
import { rangeText, signed, unitName } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import { words, workoutIcon } from "../app/types.js";
import {
  attempt,
  card,
  comparison,
  empty,
  figure,
  figures,
  head,
  liveMark,
  quantityFigure,
  skeleton,
} from "../components/cards.js";
import { highlightContent } from "../components/highlights.js";
import { missingFields } from "../components/characteristics.js";
import { PagedScreen } from "../components/paged-screen.js";
import { hourBars, hourRanges, plot, round } from "../components/plots.js";
import { openDay, ringFigures } from "../components/ring-day.js";
import { ActivityRings, ringsLabel, smallRings } from "../components/rings.js";
import { nightPicture, sleepLegend } from "../components/sleep-stages.js";

class DayScreen extends PagedScreen {
  constructor(context) {
    super(context);
    this.rings = new ActivityRings();
    this.cards = makeCards(this.rings);
    const button = (name, go) => html("button.button.small", { type: "button", hidden: true, onclick: go }, name);
    this.toToday = button(localized("Go to today"), () => this.go(this.present));
    this.toLatest = button(localized("Latest with data"), () => this.go(undefined));
    const days = html("div.row.pager", this.earlier, this.field, this.later);
    put(this.pager, days, html("div.row", this.toToday, this.toLatest));
  }

  async start() {
    const { main, signal } = this;
    this.eyebrow = html("span");
    const top = head(localized("Today"), { eyebrow: this.eyebrow, actions: [liveMark()] });
    this.heading = top.querySelector("h1");
    const grid = html("div.grid.today", Object.values(this.cards).map(({ element }) => element));
    put(main, top, html("div.days", this.pager), this.note, grid);
    this.showDay(this.day ?? dateOf());
    live.listen(debounced(() => !signal.aborted && this.load(), 120), signal);
    // Resting energy grows with the day.
    const timer = setInterval(() => {
      api.forget();
      this.load();
    }, 60000);
    signal.addEventListener("abort", () => clearInterval(timer));
    await this.load();
  }

  spanAt(day = dateOf()) {
    return { start: day, end: addDays(day, 1) };
  }

  /** The name of the day, above its cards. */
  showDay(day) {
    const isToday = day === dateOf();
    for (const link of this.main.querySelectorAll("[data-path]")) {
      link.href = addressOf(link.dataset.path, { date: isToday ? null : day });
    }
    put(this.heading, isToday ? localized("Today") : date(noon(day)));
    put(this.eyebrow, isToday ? date(noon(day), "day") : `${date(noon(day), "weekdayLong")}, ${daysAgo(day)}`);
    document.title = `${this.heading.textContent} · OpenHealthKit`;
  }

  load() {
    const { cards, signal } = this;
    const isShown = this.beginLoad();
    return attempt(Object.values(cards), signal, async () => {
      const present = await api.read("today");
      if (!isShown()) return;
      if (present.isEmpty) {
        location.replace("#/welcome");
        return;
      }
      const latest = present.latestDate ?? present.date;
      const { start } = this.spanWith(latest);
      const day = start === dateOf() ? undefined : start;
      // Shown below, and asked for at the same time as the day.
      api.read("highlights", { day });
      const shown = start === present.date ? present : await api.read("today", { day: start });
      if (!isShown()) return;
      this.showDay(start);
      this.showPeriod(this.heading.textContent);
      withdraw(this.toToday, "hidden", start === dateOf(), this.field);
      withdraw(this.toLatest, "hidden", [start, dateOf()].includes(latest), this.field);
      if (this.day && hasNothing(shown)) {
        put(this.note, html("p.notice", localized("Nothing was recorded on this day.")));
      }
      show(cards, this.rings, shown, () => this.load());
      await showHighlights(cards.highlights, day, signal);
    });
  }

  latestNotice(latest) {
    return html(
      "p.notice",
      { "data-latest": latest },
      html(
        "span",
        `${localized("Nothing was recorded today. This is the last day with data, {ago}.", { ago: daysAgo(latest) })} `,
        html("a", { href: "#/data" }, localized("Import more")),
      ),
    );
  }
}

const hasNothing = ({ date: day, rings, energy, steps, heartRate, sleep, workout }) =>
  !rings?.today && !energy?.consumed.quantity && !energy?.active.quantity && steps?.quantity === undefined &&
  !heartRate && !sleep?.main && (!workout || dateOf(new Date(workout.startDate)) !== day);

function makeCards(rings) {
  // These lead to the time of the day that is shown.
  const timed = (path, name) => html("a", { "data-path": path, href: `#/${path}` }, name);
  const trend = (type) => timed(`trends/type/HKQuantityTypeIdentifier${type}/day`, localized("Trend"));
  const activity = card(
    localized("Activity"),
    { symbol: "today", className: "rings-card", aside: timed("trends/rings", localized("Calendar")) },
    html("div.rings-body", rings.element, ringFigures({}, {})),
    html("ol.week", weekDays(dateOf()).map((day) => html("li", weekdayName(day), smallRings({})))),
  );
  const energy = card(
    localized("Energy balance"),
    { tone: "nutrition", symbol: "balance", aside: html("a", { href: "#/journal/food" }, localized("Log food")) },
    skeleton("title", "line", "line", "line"),
  );
  const steps = card(
    localized("Steps"),
    { tone: "activity", symbol: "steps", aside: trend("StepCount") },
    skeleton("title", "line", "block"),
  );
  const heart = card(
    localized("Heart rate"),
    { tone: "heart", symbol: "heart", aside: trend("HeartRate") },
    skeleton("title", "line", "block"),
  );
  const workout = card(
    localized("Latest workout"),
    { tone: "activity", symbol: "workout", aside: timed("trends/workouts", localized("All workouts")) },
    skeleton("title", "line", "line"),
  );
  const sleep = card(
    localized("Last night"),
    { tone: "sleep", symbol: "moon", aside: timed("trends/sleep", localized("All nights")) },
    skeleton("title", "line", "block"),
  );
  const highlights = card(localized("Highlights"), { symbol: "trends" }, skeleton("line", "line"));
  return { activity, energy, highlights, steps, heart, workout, sleep };
}

/** What stands out, as of the day that is shown. */
const showHighlights = (box, day, signal) =>
  attempt([box], signal, async () => {
    const answer = await api.read("highlights", { day });
    if (signal.aborted) return;
    box.show(highlightContent(answer, day));
  });

function show(cards, rings, today, load) {
  const isToday = today.date === dateOf();
  showRings(cards.activity, rings, today);
  showEnergy(cards.energy, today.energy, isToday, load);
  showSteps(cards.steps, today.steps, isToday);
  showHeart(cards.heart, today.heartRate, isToday);
  showWorkout(cards.workout, today.workout, today.workoutReference, isToday);
  showSleep(cards.sleep, today.sleep?.main, today.sleepReference);
}

// Rings

const weekDays = (today) => Array.from({ length: 7 }, (_, index) => addDays(today, index - 6));
const weekdayName = (day) => date(noon(day), "weekday").slice(0, 2);

function showRings(box, rings, { date: today, rings: { today: summary, week = [], reference } = {} }) {
  const summaries = new Map(week.map((one) => [one.date, one]));
  const days = weekDays(today).map((day) => weekDay(day, summaries.get(day), day === today));
  box.show(html("div.rings-body", rings.element, ringFigures(summary, reference ?? {})), html("ol.week", days));
  rings.show(summary?.rings ?? {});
}

function weekDay(day, summary, isToday) {
  const label = `${date(noon(day), "day")}: ${summary ? ringsLabel(summary.rings) : localized("no data")}`;
  return html(
    "li",
    { "aria-current": isToday ? "date" : null },
    html(
      "button.bare",
      { type: "button", "aria-label": label, onclick: () => openDay(day, summary) },
      html("span", { "aria-hidden": "true" }, weekdayName(day)),
      smallRings(summary?.rings),
    ),
  );
}

// Energy

function showEnergy(box, energy, isToday, load) {
  const isEditing = !energy.net && box.body.querySelector("form")?.contains(document.activeElement);
  if (isEditing) return;
  const burned = energy.burned ?? energy.active;
  const longest = Math.max(burned.quantity, energy.consumed.quantity, 1);
  const bar = (name, total, ...parts) => energyBar(name, total, parts, longest);
  box.show(
    netContent(energy, isToday, load),
    bar(localized("Burned"), burned, [energy.active, "activity"], [energy.resting, "mobility"]),
    bar(localized("Consumed"), energy.consumed, [energy.consumed, "nutrition"]),
    energyFigures(energy),
    html("p.muted.small", usualEnergy(energy)),
  );
}

function netContent({ net, missing }, isToday, load) {
  if (net) return netEnergy(net, isToday);
  if (missing.length > 0) return missingFields(missing, load);
  return html("p.delta", localized("No food is logged, so there is no balance."));
}

function netEnergy({ quantity: net, unit }, isToday) {
  const soFar = net < 0 ? localized("Burned more than eaten so far") : localized("Eaten more than burned so far");
  const inAll = net < 0 ? localized("Burned more than eaten") : localized("Eaten more than burned");
  return html(
    "div",
    { "data-figure": "net" },
    figure(signed(net), localized("{unit} net", { unit }), "big"),
    html("p.delta", isToday ? soFar : inAll),
  );
}

function energyFigures({ active, resting, consumed }) {
  const list = figures([
    [localized("Active"), number(active.quantity), null, "activity"],
    [localized("Resting"), number(resting?.quantity), null, "mobility"],
    [localized("Consumed"), number(consumed.quantity), null, "nutrition"],
  ]);
  ["active", "resting", "consumed"].forEach((name, index) => {
    list.children[index].dataset.figure = name;
  });
  return list;
}

function usualEnergy({ consumedReference, activeReference, consumed: { unit } }) {
  const [eaten, active] = [consumedReference, activeReference]
    .map(({ average }) => average !== undefined && `${number(average)} ${unit}`);
  if (eaten && active) return localized("Usually {eaten} eaten and {active} active a day.", { eaten, active });
  if (active) return localized("Usually {active} active a day.", { active });
  return eaten ? localized("Usually {eaten} eaten a day.", { eaten }) : localized("No 4-week average yet.");
}

/** A bar whose parts are `[quantity, tone]`; the longest bar has the whole width. */
function energyBar(name, { quantity: total, unit }, parts, longest) {
  const text = `${number(total)} ${unit}`;
  return html(
    "div",
    html("div.row.apart.small", html("span.muted", name), html("b", text)),
    plot(`${name}: ${text}`, 12, (picture, width) => {
      picture.append(svg("rect.track", { width, height: 12, rx: 6 }));
      let x = 0;
      for (const [part, tone] of parts) {
        const length = (width * (part?.quantity ?? 0)) / longest;
        if (length > 1) {
          const shape = { class: tone, x: round(x), width: round(Math.max(6, length - 2)), height: 12, rx: 6 };
          picture.append(svg("rect.bar", shape));
        }
        x += length;
      }
    }),
  );
}

// Steps and heart rate

function showSteps(box, { quantity: count, hours, averageHours, reference }, isToday) {
  if (count === undefined && !averageHours.some((value) => value > 0)) {
    const link = html("a.button.small", { href: "#/data" }, localized("Import"));
    const text = localized("They come from a phone or a watch. Import an export, or sync an iPhone.");
    box.show(empty(localized("No steps yet"), text, link));
    return;
  }
  box.show(
    html("div", { "data-figure": "steps" }, figure(number(count ?? 0), localized("steps"), "big")),
    comparison(reference, { isByNow: reference.averageByNow !== undefined && isToday }),
    hourBars(localized("Steps by hour, and the average of the seven days before"), hours, averageHours),
    html(
      "p.muted.small.foot",
      reference.average === undefined
        ? localized("No 4-week average yet.")
        : localized("4-week average {value} a day", { value: number(reference.average) }),
    ),
  );
}

function showHeart(box, heartRate, isToday) {
  if (!heartRate) {
    box.show(empty(
      isToday ? localized("No heart rate today") : localized("No heart rate on this day"),
      localized("It appears when a watch or a chest strap has measured it."),
    ));
    return;
  }
  const { latest, latestDate, minimum, maximum, resting, reference, restingReference } = heartRate;
  const bpm = unitName("count/min");
  const points = heartRate.intervals
    .filter((interval) => interval.minimum !== undefined)
    .map((interval) => ({ ...interval, hour: hourOf(interval.startDate) }));
  const limits = { minimum: number(minimum), maximum: number(maximum) };
  const label = localized("Heart rate of the day from {minimum} to {maximum} beats per minute", limits);
  const rangeOf = (point) => rangeText([point.minimum, point.maximum], "count/min");
  const usual = number((resting ? restingReference : reference).average);
  const usualText = resting
    ? localized("Resting {resting} bpm, 4-week average {average}", { resting: number(resting), average: usual })
    : localized("4-week average {value} bpm", { value: usual });
  box.show(
    html("div", { "data-figure": "heart" }, figure(...rangeAndUnit([minimum, maximum], "count/min"), "big")),
    html("p.delta", html("b", `${number(latest)} ${bpm}`), ` ${isToday ? ago(latestDate) : date(latestDate, "time")}`),
    points.length > 0 && hourRanges(label, points, { slots: 48, format: number, text: rangeOf }),
    html(
      "p.muted.small.foot",
      !resting && reference.average === undefined ? localized("No 4-week average yet.") : usualText,
    ),
  );
}

// Sleep and workout

function showSleep(box, night, reference) {
  if (night && !(night.timeAsleep > 0)) {
    box.show(
      html("div", { "data-figure": "in-bed" }, figure(duration(night.timeInBed), localized("in bed"), "big")),
      html("p.muted.small", `${date(night.startDate, "time")}–${date(night.endDate, "time")}`),
      html("p.delta", localized("Only the time in bed was recorded.")),
    );
    return;
  }
  if (!night) {
    const link = html("a.button.small", { href: "#/trends/sleep" }, localized("Earlier nights"));
    box.show(
      empty(
        localized("No sleep recorded last night"),
        localized("A watch or an app records it. Earlier nights are under Trends."),
        link,
      ),
    );
    return;
  }
  box.show(
    html(
      "div.row.apart",
      html(
        "div",
        { "data-figure": "sleep" },
        figure(duration(night.timeAsleep), localized("asleep"), "big"),
        comparison(reference, { format: duration }),
      ),
      html(
        "p.muted.small",
        `${date(night.startDate, "time")}–${date(night.endDate, "time")}`,
        html("br"),
        night.efficiency !== undefined && localized("{share} of the time in bed", { share: percent(night.efficiency) }),
      ),
    ),
    nightPicture(night),
    sleepLegend(night.stages),
  );
}

function showWorkout(box, workout, reference, isToday) {
  if (!workout) {
    const link = html("a.button.small", { href: "#/journal/workout" }, localized("Log a workout"));
    const text = localized("Log one in the journal, or sync an iPhone.");
    box.show(empty(localized("No workout yet"), text, link));
    return;
  }
  const { workoutActivityTypeName: name, startDate, totalDistance, totalEnergyBurned, averageHeartRate } = workout;
  box.show(
    html(
      "a.row.plainlink",
      { href: `#/trends/workout/${workout.uuid}` },
      html("span.badge", icon(workoutIcon(name))),
      html(
        "span.text",
        html("b", words(name)),
        html("br"),
        html("span.muted.small", isToday ? `${ago(startDate)}, ${date(startDate, "time")}` : date(startDate, "moment")),
      ),
    ),
    figures([
      [localized("Time"), duration(workout.duration)],
      totalDistance && quantityFigure(localized("Distance"), totalDistance),
      totalEnergyBurned && quantityFigure(localized("Energy"), totalEnergyBurned),
      averageHeartRate && [localized("Heart rate"), number(averageHeartRate), unitName("count/min")],
    ]),
    comparison(reference, { format: duration }),
  );
}

export async function render(context) {
  await new DayScreen(context).start();
}
