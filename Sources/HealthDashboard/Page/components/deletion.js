// Deleting many samples: an exact account of what goes, what follows, and then the deletion.

import * as api from "../app/api.js";
import { html } from "../app/dom.js";
import { count, number } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import { typeName } from "../app/types.js";
import { scrollArea } from "./cards.js";
import { openDialog, toast } from "./dialogs.js";
import { table } from "./value-table.js";

const samples = (total) => count(total, "{count} sample", "{count} samples");

/** Asks before the samples that the parameters select are deleted. */
export async function askToDeleteAll(title, parameters) {
  let parts;
  try {
    ({ samples: parts } = await api.account(parameters));
  } catch (error) {
    toast(api.reason(error));
    return;
  }
  const total = parts.reduce((sum, part) => sum + part.count, 0);
  if (total === 0) {
    toast(localized("There is nothing to delete."));
    return;
  }
  const rows = parts.map(({ type, source, count: size }) => [typeName(type), source, number(size)]);
  const titles = [localized("Type"), localized("Source"), localized("Samples")];
  const caption = localized("What is deleted");
  openDialog(title, {
    build: () => [
      html("p", localized("This deletes {samples} from the store:", { samples: samples(total) })),
      scrollArea(caption, table(caption, titles, rows)),
      html(
        "ul.bullets",
        html("li", localized("Charts, totals, records and highlights no longer have them. This can’t be undone.")),
        html("li", localized("Values of a blood pressure or a meal go with it; those of workouts stay.")),
        html("li", localized("Apps, devices and files keep theirs: what is imported or sent anew is added again.")),
      ),
    ],
    submit: localized("Delete {samples}", { samples: samples(total) }),
    danger: true,
    onsubmit: async () => {
      const { deleted } = await api.removeAll(parameters);
      toast(localized("Deleted {samples}.", { samples: samples(deleted) }));
      live.notify(new Set());
    },
  });
}
