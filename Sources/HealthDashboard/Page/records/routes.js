// Routes as they were recorded; those of workouts are on the screen of the workout, too.

import * as api from "../app/api.js";
import { count, date, duration, number } from "../app/format.js";
import { localized } from "../app/language.js";
import { empty, figures } from "../components/cards.js";
import { routeMap } from "../components/route-map.js";
import { valueTable } from "../components/value-table.js";

export function row(sample) {
  return { value: count(sample.count, "{count} location", "{count} locations") };
}

export async function details(sample) {
  const { locations } = await api.read(`series/${sample.uuid}`);
  if (locations.length < 2) return empty(localized("No route"), localized("The route has fewer than two locations."));
  const seconds = (Date.parse(sample.endDate) - Date.parse(sample.startDate)) / 1000;
  return [
    figures([
      [localized("Time"), duration(seconds)],
      [localized("Locations"), number(locations.length)],
    ], "worded"),
    routeMap(localized("The route; north is up"), locations).element,
    valueTable(
      localized("Locations of the route"),
      [localized("Time"), localized("Latitude"), localized("Longitude"), localized("Elevation (m)")],
      () =>
        locations.map(({ timestamp, latitude, longitude, altitude }) => [
          date(timestamp, "time"),
          number(latitude, 5),
          number(longitude, 5),
          altitude === undefined ? "–" : number(altitude),
        ]),
    ),
  ];
}
