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
export const askToDeleteAll = (title, parameters) =>
  ask(title, {
    account: () => api.account(parameters),
    remove: () => api.removeAll(parameters),
    notes: [
      localized("Values of a blood pressure or a meal go with it; those of workouts stay."),
      localized("Apps, devices and files keep theirs: what is imported or sent anew is added again."),
    ],
  });

/** Asks before what an import has added is deleted; `undone()` runs afterwards. */
export async function askToUndo({ number: place, file }, undone) {
  const path = `imports/history/${place}`;
  await ask(localized("Undo the import of {file}?", { file }), {
    account: () => api.request("DELETE", api.address(path, { dryRun: true })),
    remove: () => api.erase(path),
    notes: [
      localized("What the import found in the store stays. What it replaced doesn’t come back."),
      localized("The same file can be imported again."),
    ],
    done: undone,
  });
}

async function ask(title, { account, remove, notes, done }) {
  let parts;
  try {
    ({ samples: parts } = await account());
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
        notes.map((note) => html("li", note)),
      ),
    ],
    submit: localized("Delete {samples}", { samples: samples(total) }),
    danger: true,
    onsubmit: async () => {
      const { deleted } = await remove();
      toast(localized("Deleted {samples}.", { samples: samples(deleted) }));
      live.notify(new Set());
      done?.();
    },
  });
}
