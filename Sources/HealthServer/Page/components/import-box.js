// Importing an archive: it is sent in pieces that survive a broken connection, then read by the server.

import * as api from "../app/api.js";
import { announce, html, icon, put } from "../app/dom.js";
import { number } from "../app/format.js";

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

/** A place to drop an export; `finished()` runs when everything is in the store. */
export class ImportBox {
  constructor({ signal, finished }) {
    this.signal = signal;
    this.finished = finished;
    this.input = html("input", {
      type: "file",
      accept: ".zip,.xml,.fit,.tcx,.gpx,.gz,.db,application/zip",
      multiple: true,
      id: "import-file",
      class: "sr",
      tabindex: "-1",
      "aria-label": "Export to import",
    });
    this.input.addEventListener("change", () => this.accept(this.input.files));
    this.element = html("div.drop", {
      ondragover: (event) => {
        event.preventDefault();
        this.element.classList.add("over");
      },
      ondragleave: () => this.element.classList.remove("over"),
      ondrop: (event) => {
        event.preventDefault();
        this.element.classList.remove("over");
        this.accept(event.dataTransfer.files);
      },
    });
    this.ask();
  }

  accept(files) {
    if (files.length > 0) this.uploadAll([...files]);
  }

  ask(message) {
    put(
      this.element,
      icon("upload"),
      html("p", html("b", "Drop export.zip here, or FIT, TCX and GPX files")),
      html("p.muted.small", "A file can have gigabytes. If the connection is lost, choose it again to continue."),
      message && html("p.notice.bad", { role: "alert" }, message),
      this.input,
      html("button.button.primary", { type: "button", onclick: () => this.input.click() }, "Choose files"),
    );
    this.input.value = "";
  }

  // Sending

  /** Imports the files one after the other, and shows what came of all of them. */
  async uploadAll(files) {
    const reports = [];
    const failures = [];
    for (const file of files) {
      try {
        const report = await this.upload(file);
        if (this.signal.aborted) return;
        reports.push(report);
      } catch (error) {
        if (error.name === "AbortError") {
          this.ask();
          return;
        }
        failures.push(files.length > 1 ? `${file.name}: ${error.message}` : error.message);
      }
    }
    if (reports.length > 0) this.showReport(sum(reports), failures);
    else this.ask(failures.join(" "));
  }

  /** Sends the file, from where the server has it already, and follows the import until its report. */
  async upload(file) {
    const pause = new AbortController();
    const bar = html("progress", { max: 1, value: 0, "aria-label": "Upload" });
    const text = html("p.small", `Sending ${file.name}, ${sizeText(file.size)}`);
    put(
      this.element,
      html("p", html("b", "Uploading")),
      bar,
      text,
      html("button.button.small", { type: "button", onclick: () => pause.abort() }, "Pause"),
    );
    const upload = await beginUpload(file);
    await sendPieces(file, upload, pause.signal, (offset, message) => {
      bar.value = offset / file.size;
      text.textContent = message ?? `${sizeText(offset)} of ${sizeText(file.size)}`;
    });
    const report = await this.follow(await readUpload(upload.id));
    localStorage.removeItem(storageKey(file));
    return report;
  }

  // Following

  /** Follows an import that the server has begun without a file, and shows what came of it. */
  async finish(upload) {
    try {
      const report = await this.follow(upload);
      if (!this.signal.aborted) this.showReport(report, []);
    } catch (error) {
      this.ask(error.message);
    }
  }

  /** Shows how far the server is, until the import is done. */
  async follow(upload) {
    const bar = html("progress", { max: 1, "aria-label": "Import" });
    const text = html("p.small", "Reading …");
    put(this.element, html("p", html("b", "Importing")), bar, text);
    let current = upload;
    while (!["done", "failed"].includes(current.state)) {
      if (this.signal.aborted) return {};
      if (current.bytesTotal > 0) bar.value = Math.min(1, current.bytesRead / current.bytesTotal);
      text.textContent = progressText(current);
      await wait(millisecondsBetweenLooks);
      current = await readUpload(current.id);
    }
    if (current.state === "failed") throw new Error(current.error ?? "The import failed.");
    return current.report ?? {};
  }

  showReport(report, failures) {
    api.forget();
    put(
      this.element,
      icon("check"),
      html("p", { "data-import": "finished" }, html("b", "Imported")),
      html("p.muted.small", reportText(report)),
      failures.map((failure) => html("p.notice.bad", { role: "alert" }, failure)),
      html(
        "div.row",
        html("a.button.primary", { href: "#/today" }, "See today"),
        html("button.button", { type: "button", onclick: () => this.ask() }, "Import another"),
      ),
    );
    announce("The import is finished.");
    this.finished();
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
  const upload = await api.request("POST", api.address("imports"), { headers });
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
      progress(offset, "The connection was lost. Trying again …");
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
  // The store can't take the archive now, as when the disk is full. The server tries again each minute.
  if (error) return `Waiting: ${error}`;
  if (state === "finishing") return `${number(records)} records. Finishing …`;
  return records ? `${number(records)} records so far` : "Reading …";
}

/** The report of several imports. */
function sum(reports) {
  const total = (key) => reports.reduce((count, report) => count + (report[key] ?? 0), 0);
  return {
    known: reports.every(({ known }) => known),
    added: total("added"),
    alreadyThere: total("alreadyThere"),
    skipped: total("skipped"),
  };
}

function reportText({ known, added = 0, alreadyThere = 0, skipped = 0 }) {
  const result = known
    ? "This archive was imported before; nothing has changed."
    : `${number(added)} added, ${number(alreadyThere)} were already there.`;
  return skipped > 0 ? `${result} ${number(skipped)} could not be read.` : result;
}
