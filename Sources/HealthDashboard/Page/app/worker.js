// The worker of the page, which shows a page of its own while the server can't be reached.

import { language } from "./language.js";

/**
 * Starts the worker and has it keep its page in this page's language. Browsers have workers on this machine and over
 * HTTPS, and none with a certificate that they don't trust.
 */
export async function startWorker() {
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register("/service-worker.js");
  } catch {
    return;
  }
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage({ language });
}
