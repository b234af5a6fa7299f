// Importing files: each is sent in pieces that survive a broken connection, then read by the server.

import * as api from "../app/api.js";
import { announce, html, icon, put } from "../app/dom.js";
import { number } from "../app/format.js";
import { localized, plural } from "../app/language.js";
import { isTable, mapColumns } from "./column-mapping.js";
import { toast } from "./dialogs.js";
import { receiveFiles } from "./drop.js";
import { ask, problemText, reportText } from "./import-report.js";

const pieceSize = 4 * 1024 * 1024;
const mostFailures = 5;
const millisecondsBetweenLooks = 300;

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Where this browser remembers the upload of a file. */
const storageKey = ({ name, size, lastModified }) => `import:${api.session.person}:${name}:${size}:${lastModified}`;
const uploadAddress = (id) => api.address(`imports/${id}`);
const readUpload = (id) => api.request("GET", uploadAddress(id));

function sizeText(bytes) {
  if (bytes >= 1e9) return `${number(bytes / 1e9, 1)} GB`;
  return bytes >= 1e6 ? `${number(bytes / 1e6, 1)} MB` : `${number(bytes / 1e3)} KB`;
}

/** A place to drop files; `finished()` runs when everything is in the store. */
export class ImportBox {
  constructor({ signal, finished }) {
    this.signal = signal;
    this.finished = finished;
    this.isBusy = false;
    this.input = html("input", {
      type: "file",
      multiple: true,
      id: "import-file",
      class: "sr",
      tabindex: "-1",
      "aria-label": localized("Files to import"),
    });
    this.input.addEventListener("change", () => this.accept(this.input.files));
    this.element = html("div.drop");
    this.waiting = [];
    this.offer();
    receiveFiles((files) => this.accept(files), signal);
  }

  /** Imports files, after those that are being imported. */
  async accept(files) {
    this.waiting.push(...files);
    if (this.isBusy) return;
    this.isBusy = true;
    const outcomes = [];
    try {
      while (this.waiting.length > 0) {
        const file = this.waiting.shift();
        const outcome = await this.outcome(() => this.upload(file));
        outcomes.push({ file: file.name, table: isTable(file) && file, ...outcome });
      }
    } finally {
      this.isBusy = false;
    }
    this.show(outcomes);
  }

  offer(...messages) {
    put(
      this.element,
      icon("upload"),
      html("p", html("b", localized("Drop files here, or anywhere in this window"))),
      html(
        "p.muted.small",
        localized(
          "Apple’s export.zip, FIT, TCX and GPX files, and the archives of Garmin, Strava, Fitbit, Google, "
            + "Withings and WHOOP. A file can be several gigabytes large. If the connection is lost, "
            + "choose it again to continue.",
        ),
      ),
      messages,
      this.input,
      html(
        "button.button.primary",
        { type: "button", onclick: () => this.input.click() },
        localized("Choose files"),
      ),
    );
    this.input.value = "";
  }

  /** Offers to say what the columns of a table are, which is then imported. */
  columnsButton(table) {
    const ask = async () => {
      try {
        await mapColumns(table, (file) => this.accept([file]));
      } catch (error) {
        toast(api.reason(error));
      }
    };
    return html(
      "button.button",
      { type: "button", "data-action": "columns", onclick: ask },
      localized("Say what the columns are"),
    );
  }

  // Sending

  /** The result of an import: `report`; or `error`, with `problem`, and `upload` if it waits for a decision. */
  async outcome(work) {
    try {
      const upload = await work();
      if (upload.state !== "failed") return { report: upload.report ?? {} };
      const { error, problem } = upload;
      return { error: error ?? localized("The import failed."), problem, ...(upload.remedy && { upload }) };
    } catch (error) {
      return error.name === "AbortError" ? { isPaused: true } : { error: api.reason(error) };
    }
  }

  /** Sends the file, from where the server has it already, and follows the import until it ends. */
  async upload(file) {
    const pause = new AbortController();
    const bar = html("progress", { max: 1, value: 0, "aria-label": localized("Upload") });
    const text = html("p.small", localized("Sending {size}", { size: sizeText(file.size) }));
    put(
      this.element,
      html("p", html("b", file.name)),
      bar,
      text,
      html("button.button.small", { type: "button", onclick: () => pause.abort() }, localized("Pause")),
    );
    const upload = await beginUpload(file);
    await sendPieces(file, upload, pause.signal, (offset, message) => {
      bar.value = offset / file.size;
      text.textContent = message
        ?? localized("{sent} of {size}", { sent: sizeText(offset), size: sizeText(file.size) });
    });
    localStorage.removeItem(storageKey(file));
    return this.follow(await readUpload(upload.id));
  }

  // Following

  /** Follows an import that the server has begun, and shows its result. */
  async finish(upload) {
    if (this.isBusy) return;
    this.isBusy = true;
    const outcome = await this.outcome(() => this.follow(upload));
    this.isBusy = false;
    this.show([{ file: upload.name ?? "", ...outcome }]);
    if (this.waiting.length > 0) this.accept([]);
  }

  /** Shows how far the server is, until the import has ended. */
  async follow(upload) {
    const bar = html("progress", { max: 1, "aria-label": localized("Import") });
    const text = html("p.small", localized("Reading …"));
    put(this.element, html("p", html("b", upload.name ?? localized("Importing"))), bar, text);
    let current = upload;
    while (!["done", "failed"].includes(current.state)) {
      if (current.bytesTotal > 0) bar.value = Math.min(1, current.bytesRead / current.bytesTotal);
      text.textContent = progressText(current);
      await wait(millisecondsBetweenLooks);
      current = await readUpload(current.id);
    }
    return current;
  }

  /** Shows the results of imports, until others begin. */
  show(outcomes) {
    api.forget();
    const isAdded = outcomes.some(({ report }) => report);
    if (this.signal.aborted) return;
    const questions = outcomes.filter(({ upload }) => upload);
    const failures = outcomes.filter(({ error, upload }) => error && !upload);
    const messages = [
      questions.map(({ file, upload }) =>
        ask(file, upload, {
          decided: (again) => this.finish(again),
          declined: () => this.show(outcomes.filter((one) => one.upload !== upload)),
        })
      ),
      failures.map(({ file, error, problem, table }) => {
        const isUnknown = table && problem === "unrecognized";
        const text = isUnknown ? localized("The columns of this table aren’t known.") : problemText(problem, error);
        return [
          html("p.notice.bad", { role: "alert" }, file && html("b", `${file}: `), text),
          isUnknown && this.columnsButton(table),
        ];
      }),
    ];
    if (!isAdded) {
      this.offer(messages);
    } else {
      put(
        this.element,
        icon("check"),
        html("p", { "data-import": "finished" }, html("b", localized("Imported"))),
        outcomes.filter(({ report }) => report).map(({ file, report }) =>
          html("p.small", file && html("b", `${file}: `), reportText(report))
        ),
        messages,
        html(
          "div.row",
          html("a.button.primary", { href: "#/today" }, localized("See today")),
          html("button.button", { type: "button", onclick: () => this.offer() }, localized("Import another")),
        ),
      );
      announce(localized("The import is finished."));
    }
    this.finished({ isAdded });
  }
}

/** The upload of a file that began earlier, or a new one. */
async function beginUpload(file) {
  const key = storageKey(file);
  const known = localStorage.getItem(key);
  if (known) {
    try {
      const upload = await readUpload(known);
      if (upload.state === "uploading") return upload;
    } catch {
      localStorage.removeItem(key);
    }
  }
  const headers = { "Upload-Length": String(file.size) };
  const { timeZone } = api.session;
  const upload = await api.request("POST", api.address("imports", { name: file.name, timeZone }), { headers });
  localStorage.setItem(key, upload.id);
  return upload;
}

/** Sends what the server doesn't have yet, and asks it again when the connection broke. */
async function sendPieces(file, upload, signal, progress) {
  let { offset } = upload;
  let failures = 0;
  while (offset < file.size) {
    signal.throwIfAborted();
    try {
      await api.request("PATCH", uploadAddress(upload.id), {
        body: file.slice(offset, offset + pieceSize),
        headers: { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) },
        signal,
      });
      offset = Math.min(file.size, offset + pieceSize);
      failures = 0;
      progress(offset);
    } catch (error) {
      failures += 1;
      if (failures > mostFailures || !mayWorkAgain(error)) throw error;
      progress(offset, localized("The connection was lost. Trying again …"));
      await wait(1000 * failures);
      ({ offset } = await readUpload(upload.id));
    }
  }
}

/** Whether a request may succeed when it is sent again: the server is away, has failed, or is at another offset. */
function mayWorkAgain({ name, status }) {
  if (name === "AbortError") return false;
  return status === 409 || !(status >= 400 && status < 500);
}

function progressText({ error, state, records }) {
  // The store can't take the file now, as when the disk is full. The server tries again each minute.
  if (error) return localized("Waiting: {reason}", { reason: error });
  if (!records) return localized("Reading …");
  const values = { count: number(records) };
  return state === "finishing"
    ? plural(records, "{count} record. Finishing …", "{count} records. Finishing …", values)
    : plural(records, "{count} record so far", "{count} records so far", values);
}
