// Importing an archive: drop it, watch it arrive in pieces that survive a broken connection, and what was found in it.

import * as api from "../app/api.js";
import { announce, html, icon, put } from "../app/dom.js";
import { number } from "../app/format.js";

const pieceSize = 4 * 1024 * 1024;
const key = (file) => `import:${api.session.person}:${file.name}:${file.size}:${file.lastModified}`;
const wait = (milliseconds) =>
  new Promise((done) => {
    setTimeout(done, milliseconds);
  });

const size = (
  bytes,
) => (bytes >= 1e9
  ? `${number(bytes / 1e9, 1)} GB`
  : bytes >= 1e6
  ? `${number(bytes / 1e6, 1)} MB`
  : `${number(bytes / 1e3)} KB`);

/** A place to drop an export; `finished(report)` runs when everything is in the store. */
export class ImportBox {
  constructor({ signal, finished }) {
    this.signal = signal;
    this.finished = finished;
    this.input = html("input", {
      type: "file",
      accept: ".zip,.xml,application/zip",
      id: "import-file",
      class: "sr",
      tabindex: "-1",
      "aria-label": "Export to import",
    });
    this.input.addEventListener("change", () => this.input.files[0] && this.upload(this.input.files[0]));
    this.element = html("div.drop", {
      ondragover: (event) => {
        event.preventDefault();
        this.element.classList.add("over");
      },
      ondragleave: () => this.element.classList.remove("over"),
      ondrop: (event) => {
        event.preventDefault();
        this.element.classList.remove("over");
        if (event.dataTransfer.files[0]) this.upload(event.dataTransfer.files[0]);
      },
    });
    this.ask();
  }

  ask(message) {
    put(
      this.element,
      icon("upload"),
      html("p", html("b", "Drop export.zip here")),
      html("p.muted.small", "It may be many gigabytes. If the connection breaks, choose it again to go on."),
      message && html("p.notice.bad", { role: "alert" }, message),
      this.input,
      html("button.button.primary", { type: "button", onclick: () => this.input.click() }, "Choose a file"),
    );
    this.input.value = "";
  }

  /** Sends the file from where the server has it. */
  async upload(file) {
    const bar = html("progress", { max: 1, value: 0, "aria-label": "Upload" });
    const text = html("p.small", `Sending ${file.name}, ${size(file.size)}`);
    this.running = new AbortController();
    put(
      this.element,
      html("p", html("b", "Uploading")),
      bar,
      text,
      html("button.button.small", { type: "button", onclick: () => this.running.abort() }, "Pause"),
    );
    try {
      const upload = await this.begin(file);
      let offset = upload.offset;
      let failures = 0;
      while (offset < file.size) {
        if (this.running.signal.aborted) {
          this.ask();
          return;
        }
        try {
          await api.request("PATCH", api.address(`imports/${upload.id}`), {
            body: file.slice(offset, offset + pieceSize),
            headers: { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) },
            signal: this.running.signal,
          });
          offset = Math.min(file.size, offset + pieceSize);
          failures = 0;
        } catch (error) {
          failures += 1;
          if (
            error.name === "AbortError" || failures > 5 ||
            (error.status >= 400 && error.status !== 409 && error.status < 500)
          ) throw error;
          text.textContent = "The connection broke. Trying again …";
          await wait(1000 * failures);
          offset = (await api.request("GET", api.address(`imports/${upload.id}`))).offset;
        }
        bar.value = offset / file.size;
        text.textContent = `${size(offset)} of ${size(file.size)}`;
      }
      await this.follow(await api.request("GET", api.address(`imports/${upload.id}`)));
      localStorage.removeItem(key(file));
    } catch (error) {
      this.ask(error.name === "AbortError" ? undefined : error.message);
    }
  }

  async begin(file) {
    const known = localStorage.getItem(key(file));
    if (known) {
      try {
        const upload = await api.request("GET", api.address(`imports/${known}`));
        if (upload.state === "uploading") return upload;
      } catch {
        localStorage.removeItem(key(file));
      }
    }
    const upload = await api.request("POST", api.address("imports"), {
      headers: { "Upload-Length": String(file.size) },
    });
    localStorage.setItem(key(file), upload.id);
    return upload;
  }

  /** Shows how far the server is, until the import is done. */
  async follow(answer) {
    const bar = html("progress", { max: 1, "aria-label": "Import" });
    const text = html("p.small", "Reading …");
    put(this.element, html("p", html("b", "Importing")), bar, text);
    let state = answer;
    while (!["done", "failed"].includes(state.state)) {
      if (this.signal.aborted) return;
      if (state.bytesTotal > 0) bar.value = Math.min(1, state.bytesRead / state.bytesTotal);
      // The store can't take the archive now, as when the disk is full. The server tries again each minute.
      text.textContent = state.error
        ? `Waiting: ${state.error}`
        : state.state === "finishing"
        ? `${number(state.records)} records. Finishing …`
        : state.records
        ? `${number(state.records)} records so far`
        : "Reading …";
      await wait(300);
      state = await api.request("GET", api.address(`imports/${state.id}`));
    }
    if (state.state === "failed") {
      this.ask(state.error ?? "The import failed.");
      return;
    }
    api.forget();
    const report = state.report ?? {};
    put(
      this.element,
      icon("check"),
      html("p", { "data-import": "finished" }, html("b", "Imported")),
      html(
        "p.muted.small",
        report.known
          ? "This archive was imported before; nothing has changed."
          : `${number(report.added ?? 0)} added, ${number(report.alreadyThere ?? 0)} were there already.`,
        report.skipped > 0 && ` ${number(report.skipped)} could not be read.`,
      ),
      html(
        "div.row",
        html("a.button.primary", { href: "#/today" }, "See today"),
        html("button.button", { type: "button", onclick: () => this.ask() }, "Import another"),
      ),
    );
    announce("The import is finished.");
    this.finished?.(report);
  }
}
