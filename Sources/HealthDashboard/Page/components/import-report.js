// The result of an import, in words; the question about one that needs a decision; and the last imports.

import * as api from "../app/api.js";
import { html } from "../app/dom.js";
import { date, number } from "../app/format.js";
import { localized, translated } from "../app/language.js";
import { typeName } from "../app/types.js";
import { foldedList, titled } from "./cards.js";
import { askToUndo } from "./deletion.js";
import { toast } from "./dialogs.js";

const mostTypes = 40;
const mostSkips = 20;

const isZip = (file) => file.toLowerCase().endsWith(".zip");

/** Why a file isn't imported. `error` is what the server says. */
export function problemText(problem, error, file = "") {
  switch (problem) {
    case "incomplete":
      return isZip(file) ? localized("This zip file is incomplete.") : localized("This file is incomplete.");
    case "damaged":
      return isZip(file) ? localized("This zip file is damaged.") : localized("This file is damaged.");
    case "anotherPerson":
      return localized("This export belongs to a different person than earlier imports.");
    case "unrecognized":
      return localized(
        "This is not a file that can be imported: an export of Apple Health, a FIT, TCX or GPX file, "
          + "or the archive of a service.",
      );
    case "partOfArchive":
      return localized(
        "This file isn’t imported by itself. "
          + "Choose the zip file that it comes from, or restore its original name.",
      );
    default:
      return translated(error);
  }
}

/**
 * Asks what to do with a file that the server has but refuses. `decided(upload)` gets the import that begins then;
 * `declined()` runs when the upload is gone.
 */
export function ask(file, upload, { decided, declined }) {
  const isRecovery = upload.remedy === "recover";
  const question = isRecovery ? localized("Import what is readable?") : localized("Import it anyway?");
  const act = (work) => async (event) => {
    const { target } = event;
    target.disabled = true;
    try {
      await work();
    } catch (error) {
      target.disabled = false;
      toast(api.reason(error));
    }
  };
  const accept = act(async () => {
    const parameters = isRecovery ? { recover: true } : { anyPerson: true };
    decided(await api.request("POST", api.address(`imports/${upload.id}/retry`, parameters)));
  });
  const decline = act(async () => {
    await api.request("DELETE", api.address(`imports/${upload.id}`));
    declined();
  });
  return html(
    "div.question.stack",
    { role: "alert", "data-import": "question" },
    file && html("p", html("b", file)),
    html("p", problemText(upload.problem, upload.error, file), " ", question),
    html("p.muted.small", upload.error),
    html(
      "div.row",
      html(
        "button.button.primary",
        { type: "button", onclick: accept },
        isRecovery ? localized("Import what is readable") : localized("Import anyway"),
      ),
      html("button.button", { type: "button", onclick: decline }, localized("Don’t import")),
    ),
  );
}

/** The figures of a report in a sentence or two. */
export function reportText({ known, added = 0, alreadyThere = 0, removed = 0, skipped = 0 }) {
  if (known) return localized("It was imported before; nothing has changed.");
  const there = localized("{added} added, {count} already there.", {
    added: number(added),
    count: number(alreadyThere),
  });
  const gone = removed > 0 && localized("{count} removed.", { count: number(removed) });
  const rest = skipped > 0 && localized("{count} could not be read.", { count: number(skipped) });
  return [there, gone, rest].filter(Boolean).join(" ");
}

// The history

/** The last imports, the newest first, each with its report to open. `undone()` runs when one was taken back. */
export function importHistory(history, undone) {
  if (history.length === 0) return html("p.muted.small", localized("Imports are listed here, with their reports."));
  return foldedList(localized("Last imports"), history.map((one) => row(one, undone)));
}

function row({ number: place, date: ended, file, report, error }, undone) {
  const outcome = report ? reportText(report) : translated(error) ?? localized("The import failed.");
  const title = titled(file, date(ended, "moment"), html("br"), outcome);
  if (!report) return html("li", { "data-import": "failed" }, title, html("span.tag", localized("failed")));
  const parts = details(report);
  if (report.added > 0 && undone) {
    const undo = () => askToUndo({ number: place, file }, undone);
    const button = { type: "button", "data-action": "undo", onclick: undo };
    parts.push(html("button.button.small", button, localized("Undo")));
  }
  if (parts.length === 0) return html("li", title);
  return html("li", html("details.grow", html("summary", title), html("div.stack", parts)));
}

/** What a report has beyond its figures: the types, what was skipped, and what was unusual. */
function details({ types = {}, skips = [], irregularities = {}, unread = [], remarks = [] }) {
  const added = Object.entries(types).sort(([, a], [, b]) => b - a);
  const counted = (title, entries) => [
    html("h3", title),
    html("dl.counts", entries.map(([name, count]) => [html("dt", name), html("dd", number(count))])),
  ];
  const place = ({ line, byte }) => {
    if (byte !== undefined) return `${localized("byte {number}", { number: number(byte) })}: `;
    return line > 0 ? `${localized("line {number}", { number: number(line) })}: ` : "";
  };
  const skipped = (list) =>
    list.slice(0, mostSkips).map((skip) => html("li.small", `${place(skip)}${typeName(skip.type)}, ${skip.reason}`));
  // A byte is where a file is damaged or ends early.
  const damages = skips.filter(({ byte }) => byte !== undefined);
  const misunderstood = skips.filter(({ byte }) => byte === undefined);
  const unusual = Object.entries(irregularities);
  return [
    ...remarks.map((remark) => html("p", translated(remark) ?? remark)),
    added.length > 0 && counted(
      localized("Added"),
      added.slice(0, mostTypes).map(([type, count]) => [typeName(type), count]),
    ),
    misunderstood.length > 0 && [
      html("h3", localized("Not understood")),
      html("ul.stack", skipped(misunderstood)),
    ],
    unusual.length > 0 && counted(localized("Noted"), unusual),
    damages.length + unread.length > 0 && [
      html("h3", localized("Not read")),
      html(
        "ul.stack",
        skipped(damages),
        unread.map(({ reason, count, files }) => {
          const names = files.slice(0, mostSkips).join(", ");
          const rest = count - Math.min(mostSkips, files.length);
          return html("li.small", `${names}${rest > 0 ? ` + ${number(rest)}` : ""}: ${reason}`);
        }),
      ),
    ],
  ].filter(Boolean);
}
