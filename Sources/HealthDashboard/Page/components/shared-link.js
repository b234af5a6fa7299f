// What isn't one's own data: a link that shows some types to the family or a doctor, and the demo.

import * as api from "../app/api.js";
import { html, put } from "../app/dom.js";
import { date } from "../app/format.js";
import { localized } from "../app/language.js";
import { openDialog } from "./dialogs.js";

/** The screens that show what a link permits. */
export const sharedScreens = ["trends"];

/** The secret of a link, taken out of the address and the history. */
export function secretOfSharedLink() {
  const [, secret] = /^#\/link\/(\w[\w-]*)$/.exec(location.hash) ?? [];
  if (secret) history.replaceState(null, "", "/#/trends");
  return secret;
}

/** Opens a link, after a question if somebody is signed in, whom that signs out. Returns whether that is all to do. */
export async function openSharedLink(secret, { isSignedIn }) {
  if (!isSignedIn || api.session.linkExpires) return tryToOpen(secret);
  openDialog(localized("Open the shared link?"), {
    submit: localized("Open"),
    build: () => html("p", localized("You are signed in. Opening the link signs you out in this browser.")),
    onsubmit: async () => {
      await api.signOut();
      await tryToOpen(secret);
      location.reload();
    },
  });
  return true;
}

async function tryToOpen(secret) {
  try {
    await api.openLink(secret);
    return true;
  } catch (error) {
    if (error.status !== 401) throw error;
    history.replaceState(null, "", "/?link=failed#/sign-in");
    return false;
  }
}

/** Says in every screen whose data is shown and until when, and leaves out what a link doesn't permit. */
export function showSharing() {
  const { linkExpires, people: [person], isDemo } = api.session;
  const shell = document.getElementById("shell");
  if (isDemo) {
    document.documentElement.dataset.demo = "";
    shell.before(demoNote());
  }
  if (!linkExpires) return;
  shell.classList.add("shared");
  const name = person && person.name !== "me" ? person.name : "";
  const until = date(linkExpires, "moment");
  const text = name
    ? localized("{name} shares this with you until {date}.", { name, date: until })
    : localized("This is shared with you until {date}.", { date: until });
  const note = html("aside.notice.shared-note", { "aria-label": localized("Sharing") }, text);
  shell.before(note);
  put(document.querySelector(".nav .brand"), localized("Shared with you"));
}

/** Says that the person is fictional, and leads back to the own store. */
function demoNote() {
  const leave = () => {
    api.leaveDemo();
    location.hash = "#/today";
    location.reload();
  };
  return html(
    "aside.notice.demo-note",
    { "aria-label": localized("Demo") },
    html("span", html("b", localized("Demo")), " · ", localized("A fictional person. Nothing is stored.")),
    // There is no store behind the demo of a server.
    !api.session.isOnlyDemo && html(
      "button.button.small",
      { type: "button", "data-action": "leave-demo", onclick: leave },
      localized("Leave"),
    ),
  );
}
