// The event stream of the server.

import { address, forget, session } from "./api.js";

/**
 * The event stream: `live.listen(handler, signal)` hears the set of types that changed; empty for settings.
 *
 * Browsers open at most six connections to a server, so of several windows only one has the stream. It holds a lock
 * and passes on what it hears; when it closes, another takes over.
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
    if (!navigator.locks || !globalThis.BroadcastChannel) return this.connect();
    const channel = new BroadcastChannel(name);
    this.channel = channel;
    channel.onmessage = ({ data }) => {
      if (data.asks) return this.source && channel.postMessage({ state: this.state });
      return data.state ? this.show(data.state) : this.tell(new Set(data.types));
    };
    channel.postMessage({ asks: true });
    navigator.locks.request(name, () =>
      new Promise((release) => {
        if (this.channel !== channel) return release();
        this.release = release;
        return this.connect();
      }));
    return undefined;
  },

  connect() {
    const pass = (message) => this.channel?.postMessage(message);
    const show = (state) => {
      this.show(state);
      pass({ state });
    };
    const tell = (types) => {
      this.tell(new Set(types));
      pass({ types });
    };
    this.source = new EventSource(address("events"));
    this.source.addEventListener("ready", () => show("open"));
    this.source.addEventListener("error", () => show("closed"));
    this.source.addEventListener("change", (event) => tell(JSON.parse(event.data).types));
    this.source.addEventListener("settings", () => tell([]));
  },

  close() {
    this.source?.close();
    this.channel?.close();
    this.release?.();
    this.source = this.channel = this.release = null;
  },

  show(state) {
    this.state = state;
    for (const element of document.querySelectorAll(".live")) {
      element.dataset.state = state;
      element.textContent = state === "open" ? "Live" : "Offline";
    }
  },

  listen(handler, signal) {
    this.handlers.add(handler);
    signal.addEventListener("abort", () => this.handlers.delete(handler));
  },

  tell(types) {
    forget();
    for (const handler of [...this.handlers]) handler(types);
  },
};

// A page that is kept for the back button must not keep its connection.
addEventListener("pagehide", () => live.close());
addEventListener("pageshow", (event) => {
  if (!event.persisted || !session.csrfToken) return;
  live.open();
  live.tell(new Set());
});
