// Corrects a workout that was recorded or imported wrong.

import * as api from "../app/api.js";
import { html } from "../app/dom.js";
import { count } from "../app/format.js";
import { localized } from "../app/language.js";
import { words } from "../app/types.js";
import { field, select } from "./controls.js";
import { openDialog, toast } from "./dialogs.js";
import { activities, momentFields } from "./log-forms.js";

/** Opens the form; `corrected(uuid)` runs when another workout is in the place of this one. */
export function correctWorkout(workout, corrected) {
  const { uuid, workoutActivityTypeName: name, title: known = "", startDate, endDate } = workout;
  const isListed = activities.some(([known]) => known === name);
  const kind = select(isListed ? activities : [[name, words(name)], ...activities], name);
  const title = html("input", { type: "text", maxlength: 200, value: known });
  const start = momentFields({ labels: [localized("Began on"), localized("Began at")], moment: startDate });
  const end = momentFields({ labels: [localized("Ended on"), localized("Ended at")], moment: endDate });
  openDialog(localized("Correct workout"), {
    submit: localized("Save changes"),
    build: () => [
      field(localized("Activity"), kind),
      field(localized("Title"), title),
      start.element,
      end.element,
      html(
        "p.muted.small",
        localized(
          "What is outside of these times stays in the store and no longer belongs to the workout. "
            + "Importing the same file again keeps the correction.",
        ),
      ),
    ],
    onsubmit: async () => {
      const [first, last] = [start.read(), end.read()];
      if (!first || !last) return false;
      const isOther = (moment, text) => moment.getTime() !== new Date(text).getTime();
      const body = {
        ...(kind.value !== name && { workoutActivityType: kind.value }),
        ...(title.value.trim() !== known && { title: title.value.trim() }),
        ...(isOther(first, startDate) && { startDate: first.toISOString() }),
        ...(isOther(last, endDate) && { endDate: last.toISOString() }),
      };
      const { uuid: next, samplesOutside, locationsOutside, isMoved } = await api.patch(`workouts/${uuid}`, body);
      const outside = samplesOutside > 0 && !isMoved
        && count(
          samplesOutside,
          "{count} sample no longer belongs to the workout.",
          "{count} samples no longer belong to the workout.",
        );
      const leftOut = locationsOutside > 0 && !isMoved
        && count(
          locationsOutside,
          "{count} location was left out of the route.",
          "{count} locations were left out of the route.",
        );
      toast([localized("Corrected."), outside, leftOut].filter(Boolean).join(" "));
      if (next !== uuid) corrected(next);
      return true;
    },
  });
}
