// One day of activity: its values with their goals, and its rings in a dialog.

import { addressOf } from "../app/address.js";
import * as api from "../app/api.js";
import { dateOf, noon } from "../app/calendar.js";
import { html } from "../app/dom.js";
import { date, number, unitName } from "../app/format.js";
import { localized } from "../app/language.js";
import { openDialog } from "./dialogs.js";
import { ActivityRings } from "./rings.js";

/**
 * The values of a day with their goals, as lines beside its rings. `reference` has the averages of a day to compare
 * with; an empty one reserves the place for them.
 */
export function ringFigures(summary = {}, reference = null) {
  const isTime = summary.activityMoveModeName === "appleMoveTime";
  const minutes = unitName("min");
  const energy = summary.activeEnergyBurned;
  const move = isTime
    ? [summary.appleMoveTime, summary.appleMoveTimeGoal, minutes]
    : [energy, summary.activeEnergyBurnedGoal, unitName(energy?.unit ?? "kcal")];
  const exercise = [summary.appleExerciseTime, summary.exerciseTimeGoal, minutes];
  const stand = [summary.appleStandHours, summary.standHoursGoal, unitName("hr")];
  return html(
    "dl.figures",
    ringFigure("move", localized("Move"), ...move, reference),
    ringFigure("exercise", localized("Exercise"), ...exercise, reference),
    ringFigure("stand", localized("Stand"), ...stand, reference),
  );
}

function ringFigure(ring, name, value, goal, unit, reference) {
  const usual = reference?.[ring];
  const usualText = usual === undefined ? "" : localized("4-week average {value}", { value: number(usual) });
  return html(
    "div",
    { class: ring },
    html("dt", name),
    html(
      "dd",
      number(value?.quantity ?? 0),
      html("small", goal ? `/${number(goal.quantity)} ${unit}` : ` ${unit}`),
      reference && html("span.usual", usualText),
    ),
  );
}

/** The link to everything of a day; where that may not be seen, the `name` of the day if it has one. */
export function dayLink(day, properties = {}, name = null) {
  const href = dayAddress(day);
  if (!href) return name;
  return html("a", { href, "data-day": day, ...properties }, name ?? localized("All of this day"));
}

/** The address of everything of a day; none for who has opened a link, which shows some types. */
export const dayAddress = (day) =>
  api.session.linkExpires ? undefined : addressOf("today", { date: day < dateOf() && day });

/** Opens one day. */
export function openDay(day, summary) {
  const rings = new ActivityRings();
  openDialog(date(noon(day), "day"), {
    build: (close) => [
      html("div.card.rings-card", html("div.rings-body", rings.element, ringFigures(summary))),
      dayLink(day, { class: "button", onclick: close }),
    ],
  });
  rings.show(summary?.rings ?? {});
}
