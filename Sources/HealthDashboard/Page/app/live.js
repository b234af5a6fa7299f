// The event stream of the server, through which the page receives changes.

import { address, events, forget, session } from "./api.js";
import { localized } from "./language.js";

const millisecondsBeforeRetry = 3000;

/**
 * Notifies the screens of changes: `live.listen(handler, signal)` calls with the set of types that changed, which is
 * empty for settings.
 *
 * Browsers open at most six connections to a server, so of several windows only one has the stream. It holds a lock
 * and passes on what it receives; when it closes, another takes over.
 */
export const live = {
  state: "closed",
  source: null,
  channel: null,
  release: null,
  handlers: new Set(),

  open() {
    this.close();
    const name = `events:${session.person}`;
    // Neither exists on pages that are not loaded securely.
    if (!navigator.locks || !globalThis.BroadcastChannel) {
      this.connect();
      return;
    }
    const channel = new BroadcastChannel(name);
    this.channel = channel;
    channel.onmessage = ({ data }) => this.receive(data);
    channel.postMessage({ isQuestion: true });
    const holdLock = (release) => {
      if (this.channel !== channel) {
        release();
        return;
      }
      this.release = release;
      this.connect();
    };
    navigator.locks.request(name, () => new Promise(holdLock));
  },

  /** Handles a message of another window: a question for the state, the state, or changes. */
  receive({ isQuestion, state, types }) {
    if (isQuestion && this.source) this.channel.postMessage({ state: this.state });
    if (state) this.show(state);
    if (types) this.notify(new Set(types));
  },

  /** Receives events, which an `EventSource` could not ask for with the session's secret. */
  async connect() {
    const show = (state) => {
      this.show(state);
      this.channel?.postMessage({ state });
    };
    const notify = (types) => {
      this.notify(new Set(types));
      this.channel?.postMessage({ types });
    };
    this.source = new AbortController();
    const { signal } = this.source;
    let lastID;
    while (!signal.aborted) {
      try {
        for await (const { event, data, id } of events(address("events"), { lastID, signal })) {
          lastID = id ?? lastID;
          if (event === "ready") show("open");
          if (event === "change") notify(JSON.parse(data).types);
          if (event === "settings") notify([]);
        }
      } catch (error) {
        if (signal.aborted) return;
        // Nobody is signed in any more.
        if (error.status === 401) this.close();
      }
      show("closed");
      await new Promise((resume) => {
        setTimeout(resume, millisecondsBeforeRetry);
      });
    }
  },

  close() {
    this.source?.abort();
    this.channel?.close();
    this.release?.();
    this.source = this.channel = this.release = null;
  },

  show(state) {
    this.state = state;
    for (const element of document.querySelectorAll(".live")) {
      element.dataset.state = state;
      element.textContent = state === "open" ? localized("Live") : localized("Offline");
    }
  },

  listen(handler, signal) {
    this.handlers.add(handler);
    signal.addEventListener("abort", () => this.handlers.delete(handler));
  },

  notify(types) {
    forget();
    for (const handler of [...this.handlers]) handler(types);
  },
};

// A page in the cache of the back button must not hold its connection.
addEventListener("pagehide", () => live.close());
addEventListener("pageshow", (event) => {
  if (!event.persisted || !session.csrfToken) return;
  live.open();
  live.notify(new Set());
});
