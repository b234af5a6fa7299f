// The password with which the person signs in on other devices.

import * as api from "../app/api.js";
import { html } from "../app/dom.js";
import { localized } from "../app/language.js";
import { field, reject } from "./controls.js";
import { openDialog, toast } from "./dialogs.js";

const leastCharacters = 12;

/** What the account has, and the buttons that change it. `changed()` draws it again. */
export function passwordRow(changed) {
  const { hasPassword } = api.session;
  const text = hasPassword
    ? localized("You can sign in on other devices with your password.")
    : localized("A password signs you in on other devices, beside the link of the server.");
  const button = (label, onclick, action) =>
    html("button.button.small", { type: "button", "data-action": action, onclick }, label);
  const label = hasPassword ? localized("Change password") : localized("Set a password");
  return html(
    "div.stack",
    html("p.muted.small", text),
    html(
      "div.row",
      button(label, () => setPassword(changed), "password"),
      hasPassword && button(localized("Remove password"), () => removePassword(changed)),
    ),
  );
}

const input = (autocomplete) => html("input", { type: "password", autocomplete });

function currentField() {
  const current = input("current-password");
  return api.session.hasPassword ? [current, field(localized("Current password"), current)] : [current, null];
}

/** Sends a change. A wrong current password is marked at its field. */
async function send(body, current, done) {
  try {
    await api.request("PUT", "/v1/password", { body: { ...body, current: current.value } });
  } catch (error) {
    if (error.status !== 403) throw error;
    reject(current, localized("The current password is wrong."));
    return false;
  }
  api.session.hasPassword = body.password !== null;
  done();
  return true;
}

function setPassword(changed) {
  const [current, currentElement] = currentField();
  const [first, second] = [input("new-password"), input("new-password")];
  const person = api.session.isServerOwner ? "" : api.session.person;
  const done = () => {
    changed();
    toast(localized("The password is set."));
  };
  openDialog(localized("Password"), {
    submit: localized("Save password"),
    build: () => [
      // For programs that keep passwords.
      html("input", { type: "text", autocomplete: "username", value: person, readonly: true, hidden: true }),
      currentElement,
      field(localized("New password"), first, {
        hint: localized("At least {count} characters, such as four random words.", {
          count: leastCharacters,
        }),
      }),
      field(localized("Repeat it"), second),
      person && html("p.muted.small", localized("The person to sign in with is {person}.", { person })),
    ],
    onsubmit: () => {
      if ([...first.value].length < leastCharacters) {
        return reject(first, localized("Use at least {count} characters.", { count: leastCharacters })) ?? false;
      }
      if (first.value !== second.value) return reject(second, localized("The passwords are different.")) ?? false;
      return send({ password: first.value }, current, done);
    },
  });
}

function removePassword(changed) {
  const [current, currentElement] = currentField();
  const done = () => {
    changed();
    toast(localized("The password is removed."));
  };
  openDialog(localized("Remove password"), {
    submit: localized("Remove"),
    danger: true,
    build: () => [html("p", localized("Devices that signed in with it are signed out.")), currentElement],
    onsubmit: () => send({ password: null }, current, done),
  });
}
