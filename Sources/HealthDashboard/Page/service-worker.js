// The worker of the page: it shows notifications and, while the server can't be reached, a page that says so. It keeps
// the files of that page and nothing else: requests to the API and their answers don't pass through it.

const files = [
  "/offline.html",
  "/offline.js",
  "/app/language.js",
  "/app/theme.js",
  "/icons/icon.svg",
  ...["tokens", "layout", "controls", "content"].map((name) => `/styles/${name}.css`),
];
const isKept = (path) => files.includes(path) || /^\/languages\/\w+\.json$/.test(path);
/** The statuses of a proxy whose server doesn't answer. */
const unreached = [502, 503, 504];

// A new worker doesn't wait until all windows of the old one are closed.
addEventListener("install", () => self.skipWaiting());

// The page sends its language each time that it has loaded, so that what is kept is as new as the page.
addEventListener("message", (event) => event.waitUntil(keep(event.data.language)));

async function keep(language) {
  const catalogues = language === "en" ? [] : [`/languages/${language}.json`];
  const cache = await caches.open("offline");
  await cache.addAll([...files, ...catalogues]);
}

addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin !== location.origin) return;
  if (event.request.mode === "navigate" && pathname === "/") event.respondWith(load(event.request, "/offline.html"));
  else if (isKept(pathname)) event.respondWith(load(event.request, pathname));
});

/** A file from the server, so that it is never an old one or, if the server can't be reached, a kept one. */
async function load(request, path) {
  const answer = await fetch(request).catch(() => Response.error());
  const isReached = answer.type !== "error" && !unreached.includes(answer.status);
  return isReached ? answer : (await caches.match(path, { ignoreVary: true })) ?? answer;
}

// Notifications

addEventListener("push", (event) => {
  const { alert, application, person, address = "#/data" } = event.data.json().data;
  // A test has no alert.
  const title = alert ?? application;
  // The same alert of the same person takes the place of an earlier notification, and rings again.
  const options = {
    icon: "/icons/icon-192.png",
    tag: JSON.stringify([person, title]),
    renotify: true,
    data: `/${person ? `?${new URLSearchParams({ person })}` : ""}${address}`,
  };
  event.waitUntil(self.registration.showNotification(title, options));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

/** Shows an address in a window of the page that is open, else in a new one. */
async function open(address) {
  const windows = await self.clients.matchAll({ type: "window" });
  const window = windows.find(({ url }) => new URL(url).pathname === "/");
  if (!window) return self.clients.openWindow(address);
  const shown = await window.navigate(address);
  return (shown ?? window).focus();
}
