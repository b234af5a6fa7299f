// Notifications of this browser: a subscription at its push service, as which alerts are shown even without the page.

import * as api from "../app/api.js";
import { html, icon } from "../app/dom.js";
import { localized } from "../app/language.js";
import { startWorker } from "../app/worker.js";
import { field, reject } from "./controls.js";
import { openDialog } from "./dialogs.js";

/** Whether this browser can be notified: over HTTPS or on this machine. */
const canBeNotified = () => Boolean(navigator.serviceWorker && globalThis.PushManager);

async function subscription() {
  if (!canBeNotified()) return undefined;
  const registration = await navigator.serviceWorker.getRegistration();
  return await registration?.pushManager.getSubscription() ?? undefined;
}

/** The URL at which this browser is notified, if it is. */
export const ownURL = async () => (await subscription())?.endpoint;

/** Ends the subscription of this browser, unless it is also that of other people here. */
export async function unsubscribe() {
  if (api.session.people.length < 2) await (await subscription())?.unsubscribe();
}

/** A button that has this browser notified. `again()` shows the webhooks anew. */
export const notificationButton = ({ webhooks, browserKey }, again) =>
  canBeNotified() && browserKey
  && html(
    "button.button",
    { type: "button", "data-action": "new-browser", onclick: () => addBrowser(webhooks, browserKey, again) },
    icon("plus"),
    localized("Notify this browser"),
  );

function addBrowser(webhooks, key, again) {
  const value = navigator.userAgentData?.platform || navigator.platform;
  const name = html("input", { "data-autofocus": true, autocomplete: "off", maxlength: 100, value });
  openDialog(localized("Notify this browser"), {
    submit: localized("Notify"),
    build: () => [
      field(localized("Name"), name, { hint: localized("The name of this device, such as “Phone”.") }),
      html("p.muted.small", localized(
        "It shows the names of your alerts, also while this page is closed. They come without values, and encrypted, "
          + "through the service of the browser’s maker.",
      )),
    ],
    onsubmit: async () => {
      const application = name.value.trim();
      if (!application) return reject(name, localized("Enter a name.")) ?? false;
      if (webhooks.some((one) => one.application === application)) {
        return reject(name, localized("There is one of this name.")) ?? false;
      }
      const { endpoint, keys } = (await subscribe(key)).toJSON();
      await api.request("POST", api.address("webhooks"), { body: { application, url: endpoint, keys } });
      await again();
      return true;
    },
  });
}

/** Asks the person, then the push service. Throws an error that says why there are no notifications. */
async function subscribe(applicationServerKey) {
  if (await Notification.requestPermission() !== "granted") {
    throw new Error(localized("Notifications of this page are blocked. Allow them in the settings of the browser."));
  }
  const registration = await startWorker();
  if (!registration) throw new Error(localized("The browser doesn’t trust the certificate of the server."));
  const { pushManager } = registration;
  const options = { userVisibleOnly: true, applicationServerKey };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    // A subscription with a key that the server has lost.
    const old = error.name === "InvalidStateError" && await pushManager.getSubscription();
    if (old && await old.unsubscribe()) return pushManager.subscribe(options);
    throw new Error(localized("The browser doesn’t reach its service for notifications."), { cause: error });
  }
}
