// Corrects a workout that was recorded or imported wrong.

import * as api from "../app/api.js";
import { html } from "../app/dom.js";
import { count } from "../app/format.js";
import { localized } from "../app/language.js";
import { words } from "../app/types.js";
import { field, select } from "./controls.js";
import { confirmation, openDialog, toast } from "./dialogs.js";
import { activities, momentFields } from "./log-forms.js";

/** Opens the form; `corrected(uuid)` runs when another workout is in the place of this one. */
export function correctWorkout(workout, corrected) {
  const { uuid, workoutActivityTypeName: name, title: known = "", startDate, endDate } = workout;
  const isListed = activities.some(([known]) => known === name);
  const kind = select(isListed ? activities : [[name, words(name)], ...activities], name);
  const title = html("input", { type: "text", maxlength: 200, value: known });
  const start = momentFields({ labels: [localized("Began on"), localized("Began at")], moment: startDate });
  const end = momentFields({ labels: [localized("Ended on"), localized("Ended at")], moment: endDate });
  const { close } = openDialog(localized("Correct workout"), {
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
      const path = `workouts/${uuid}`;
      const correct = async () => {
        const { uuid: next } = await api.patch(path, body);
        close();
        toast(localized("Corrected."));
        if (next !== uuid) corrected(next);
      };
      const preview = await api.request("PATCH", api.address(path, { dryRun: true }), { body });
      if (preview.samplesOutside + preview.locationsOutside === 0) await correct();
      else confirmation(localized("Correct workout?"), account(preview), localized("Save changes"), correct);
      return false;
    },
  });
}

/** What follows from times outside of which something was recorded. */
function account({ samplesOutside, locationsOutside, isMoved }) {
  if (isMoved) {
    return localized("The clock was wrong: what was recorded at other times stays with the workout.");
  }
  const samples = count(
    samplesOutside,
    "{count} sample no longer belongs to the workout. It stays in the store.",
    "{count} samples no longer belong to the workout. They stay in the store.",
  );
  const locations = count(
    locationsOutside,
    "{count} location is left out of the route.",
    "{count} locations are left out of the route.",
  );
  const sums = localized("Its totals are added up again from the rest.");
  return [samplesOutside > 0 && samples, locationsOutside > 0 && locations, sums].filter(Boolean).join(" ");
}
