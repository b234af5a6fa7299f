// The worker of the page, which shows a page of its own while the server can't be reached, and notifications.

import { language } from "./language.js";

/**
 * Starts the worker, has it keep its page in this page's language, and returns its registration. Browsers have workers
 * on this machine and over HTTPS, and none with a certificate that they don't trust: then it returns nothing.
 */
export async function startWorker() {
  if (!navigator.serviceWorker) return undefined;
  try {
    await navigator.serviceWorker.register("/service-worker.js");
  } catch {
    return undefined;
  }
  const registration = await navigator.serviceWorker.ready;
  registration.active.postMessage({ language });
  return registration;
}
