// Saves a workout as a file for the programs that people train with.

import * as api from "../app/api.js";
import { html, icon } from "../app/dom.js";
import { localized } from "../app/language.js";
import { titled } from "./cards.js";
import { toast } from "./dialogs.js";

/** The formats, of which GPX needs a route. */
export function workoutFiles(uuid, { hasRoute }) {
  const formats = [
    ["fit", "FIT", localized("For Garmin Connect, Strava and other training programs")],
    ["tcx", "TCX", localized("For older training programs")],
    hasRoute && ["gpx", "GPX", localized("The route, for maps")],
  ].filter(Boolean);
  return html("ul.list", formats.map((format) => fileRow(uuid, format)));
}

function fileRow(uuid, [format, name, text]) {
  const address = api.address(`workouts/${uuid}/${format}`);
  const save = async (event) => {
    event.preventDefault();
    try {
      await api.download(address);
    } catch (error) {
      toast(localized("The export failed. {reason}", { reason: api.reason(error) }));
    }
  };
  const link = { href: address, download: true, onclick: save };
  return html("li", html("a", link, titled(name, text), icon("download", "muted")));
}
