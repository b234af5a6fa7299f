// The page of a server that isn't there. Its clock shows when the answers in answers.js were recorded, and requests
// have these.

(() => {
  const { answers, now } = globalThis.recorded;
  const Clock = Date;
  const start = Clock.now();
  globalThis.Date = class extends Clock {
    constructor(...parts) {
      if (parts.length) super(...parts);
      else super(Date.now());
    }

    static now() {
      return now + (Clock.now() - start);
    }
  };

  // Weeks begin where the answers were recorded, not where the reader lives.
  const key = (method, url, body) => {
    const query = new URLSearchParams(url.search);
    query.delete("firstWeekday");
    return `${method} ${url.pathname}?${query} ${body ?? ""}`;
  };
  const ask = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (address, options = {}) => {
    const url = new URL(address, location.href);
    if (!url.pathname.startsWith("/v1/")) return ask(address, options);
    // Nothing changes.
    if (url.pathname.endsWith("/events")) return new Promise(() => {});
    const name = key(options.method ?? "GET", url, options.body);
    if (globalThis.recorded.records) {
      const response = await ask(address, options);
      const type = response.headers.get("Content-Type") ?? "";
      if (response.ok && /json|text/.test(type)) answers[name] = [type, await response.clone().text()];
      return response;
    }
    if (Object.hasOwn(answers, name)) {
      const [type, text] = answers[name];
      return new Response(text, { headers: { "Content-Type": type } });
    }
    const title = "This is a recording, without an answer to that. “hk serve --demo” answers everything.";
    return new Response(JSON.stringify({ title }), { status: 404, headers: { "Content-Type": "application/json" } });
  };
})();
