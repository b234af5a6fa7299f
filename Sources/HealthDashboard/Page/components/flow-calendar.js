// A month of flow: a field a day, darker the heavier it is.

import { addDays, addMonths, daysBetween, noon, startOfWeek } from "../app/calendar.js";
import { html } from "../app/dom.js";
import { date } from "../app/format.js";
import { localized } from "../app/language.js";

/** The flow that people distinguish, the lightest first. */
export const flows = ["light", "medium", "heavy"];
export const flowNames = [localized("Light flow"), localized("Medium flow"), localized("Heavy flow")];

/** From 1 for light flow; one that isn't specified is as a medium one, none is nothing. */
export const flowLevel = (name) => name === "unspecified" ? 2 : flows.indexOf(name) + 1;

/** A month with a heading, the names of weekdays and a cell for each day. */
export function monthOf(month, cell) {
  const days = Array.from({ length: daysBetween(month, addMonths(month, 1)) }, (_, index) => addDays(month, index));
  const blanks = Array.from({ length: daysBetween(startOfWeek(month), month) }, () =>
    html("li", { "aria-hidden": "true" }));
  const weekdays = Array.from({ length: 7 }, (_, index) =>
    html("li.name", { "aria-hidden": "true" }, date(noon(addDays(startOfWeek(month), index)), "weekday")));
  return html("section.month", html("h3", date(noon(month), "month")), html("ol", weekdays, blanks, days.map(cell)));
}
