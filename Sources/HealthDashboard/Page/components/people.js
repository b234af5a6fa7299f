// The people of the server: their names, choosing one of many, and adding another one.

import * as api from "../app/api.js";
import { debounced, html, icon, put } from "../app/dom.js";
import { localized } from "../app/language.js";
import { iconButton, scrollArea, titled } from "./cards.js";
import { field, reject } from "./controls.js";
import { openDialog, toast } from "./dialogs.js";

/** Shows the people whom the session may access in a card. */
export function showPeople(box) {
  const { people, hasMorePeople, isServerOwner } = api.session;
  const again = (changed) => {
    api.session.people = changed;
    showPeople(box);
  };
  // A server over one store can't have others.
  const canAdd = isServerOwner && people.some(({ person }) => person !== "me");
  const found = hasMorePeople && peopleSearch((person) => row(person, again));
  box.show(
    ...(found ? [found.field, found.list] : [html("ul.list", people.map((person) => row(person, again)))]),
    canAdd && html(
      "div",
      html(
        "button.button",
        { type: "button", "data-action": "add-person", onclick: () => add(again) },
        icon("plus"),
        localized("Add a person"),
      ),
    ),
  );
}

/** A button that finds one of many people; `choose(person)` gets the identifier. */
export function personButton(choose) {
  const shown = api.session.people.find(({ person }) => person === api.session.person);
  const open = () => {
    const entry = (one) =>
      html("li", html("button.rowlike", { type: "button", onclick: () => choose(one.person) }, named(one)));
    const { field: search, list, find } = peopleSearch(entry);
    openDialog(localized("Person"), {
      build: () => [search, scrollArea(localized("People"), list)],
      onsubmit: async () => {
        // Enter is the first of what is found, which the list may not show yet.
        const [first] = await find();
        if (first) choose(first.person);
        return false;
      },
    });
  };
  const label = localized("Choose a person");
  return html(
    "div.row",
    named(shown ?? { person: api.session.person, name: api.session.person }),
    html("button.button.small", { type: "button", "data-action": "choose-person", onclick: open }, label),
  );
}

const millisecondsBeforeSearch = 200;

/** A search among all people, and the list of whom it has found, as `entry(person)` shows them. */
function peopleSearch(entry) {
  const search = html("input", { type: "search", autocomplete: "off", "data-autofocus": true });
  const list = html("ul.list", { "aria-live": "polite" });
  const note = (text) => html("li", html("span.detail", text));
  const show = ({ people, nextCursor }) =>
    put(
      list,
      people.map(entry),
      people.length === 0 && note(localized("Nothing of this name.")),
      nextCursor && note(localized("There are more. Enter more of the name.")),
    );
  const find = async () => {
    const text = search.value.trim();
    try {
      const query = new URLSearchParams({ limit: 20, ...(text && { search: text }) });
      const found = await api.request("GET", `/v1/people?${query}`);
      if (text === search.value.trim()) show(found);
      return found.people;
    } catch (error) {
      toast(api.reason(error));
      return [];
    }
  };
  search.addEventListener("input", debounced(find, millisecondsBeforeSearch));
  find();
  return { field: field(localized("Name"), search), list, find };
}

function row({ person, name }, again) {
  const label = localized("Rename {name}", { name });
  const rename = () => {
    const input = nameInput(name);
    openDialog(label, {
      submit: localized("Save"),
      build: () => field(localized("Name"), input),
      onsubmit: async () => {
        if (!input.value.trim()) return reject(input, localized("Enter a name.")) ?? false;
        const changed = await api.request("PATCH", `/v1/people/${encodeURIComponent(person)}`, {
          body: { name: input.value },
        });
        again(api.session.people.map((one) => (one.person === person ? changed : one)));
        toast(localized("{name} is renamed.", { name: changed.name }));
        return true;
      },
    });
  };
  return html("li", html("span.badge", icon("profile")), named({ person, name }), iconButton("edit", label, rename));
}

/** The name and the identifier; the person whom a new server has is called by neither. */
const named = ({ person, name }) =>
  name === person ? titled(name === "me" ? localized("You") : name) : titled(name, person);

const nameInput = (value = "") => html("input", { value, autocomplete: "off", maxlength: 100, "data-autofocus": true });

/** An identifier like the name, as a proposal. */
const proposal = (name) =>
  name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 64);

function add(again) {
  const name = nameInput();
  const person = html("input", { autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 64 });
  let isOwn = false;
  name.addEventListener("input", () => {
    if (!isOwn) person.value = proposal(name.value);
  });
  person.addEventListener("input", () => {
    isOwn = true;
  });
  openDialog(localized("Add a person"), {
    submit: localized("Add"),
    build: () => [
      field(localized("Name"), name),
      field(localized("Identifier"), person, {
        hint: localized(
          "Used in addresses and for signing in: letters, digits and . _ - @; can’t be changed later.",
        ),
      }),
    ],
    onsubmit: async () => {
      if (!name.value.trim()) return reject(name, localized("Enter a name.")) ?? false;
      if (!/^[A-Za-z0-9][A-Za-z0-9._@-]*$/.test(person.value)) {
        const form = localized("Use letters, digits and . _ - @, beginning with a letter or a digit.");
        return reject(person, form) ?? false;
      }
      const body = { person: person.value, name: name.value.trim() };
      try {
        again([...api.session.people, await api.request("POST", "/v1/people", { body })]);
      } catch (error) {
        if (error.status !== 409) throw error;
        return reject(person, localized("This identifier is already in use.")) ?? false;
      }
      toast(localized("{name} is added. Make a token or a link to sign in with under Data.", { name: body.name }));
      return true;
    },
  });
}
