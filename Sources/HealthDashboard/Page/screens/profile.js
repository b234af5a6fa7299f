// Profile: who the person is, the goals of the rings, units, and how the page looks.

import * as api from "../app/api.js";
import { html, put } from "../app/dom.js";
import { date, unitName } from "../app/format.js";
import { browserLanguage, chooseLanguage, chosenLanguage, languages, localized } from "../app/language.js";
import { live } from "../app/live.js";
import { shortName, typeName } from "../app/types.js";
import { attempt, card, head, liveMark, skeleton } from "../components/cards.js";
import { characteristicField } from "../components/characteristics.js";
import { field, numberInput, readNumber, segmented, select } from "../components/controls.js";
import { toast } from "../components/dialogs.js";
import { ownURL } from "../components/notifications.js";
import { passwordRow } from "../components/password.js";
import { personButton, showPeople } from "../components/people.js";

/** The units that can be chosen for a type. */
const unitChoices = {
  bodyMass: ["kg", "lb", "st"],
  height: ["cm", "ft", "in"],
  distanceWalkingRunning: ["km", "mi"],
  distanceCycling: ["km", "mi"],
  bodyTemperature: ["degC", "degF"],
  dietaryWater: ["mL", "L", "fl_oz_us"],
  activeEnergyBurned: ["kcal", "kJ"],
  dietaryEnergyConsumed: ["kcal", "kJ"],
  bloodGlucose: ["mg/dL", "mmol<180.15588000005408>/L"],
};

export async function render({ main, signal }) {
  const person = api.session.people.find((one) => one.person === api.session.person);
  const about = card(localized("About you"), { symbol: "profile" }, skeleton("line", "line", "line"));
  const goals = card(localized("Goals"), { tone: "activity", symbol: "today" }, skeleton("line", "line"));
  const units = card(localized("Units"), { symbol: "scale" }, skeleton("line", "line"));
  const page = card(localized("Appearance"), { symbol: "theme" }, themeField(), languageField(), timeZoneField());
  const account = card(localized("Signing in"), { symbol: "key" });
  const browsers = html("div.stack", signOutRow());
  const showAccount = () => account.show(personField(), passwordRow(showAccount), browsers);
  const people = card(localized("People"), { symbol: "profile" });
  if (!api.session.isDemo) {
    showAccount();
    showBrowsers(browsers, signal);
    showPeople(people);
  }
  put(
    main,
    head(localized("Profile"), {
      eyebrow: person && person.name !== "me" ? person.name : localized("You and your goals"),
      actions: [liveMark()],
    }),
    html(
      "div.grid",
      about.element,
      goals.element,
      units.element,
      page.element,
      !api.session.isDemo && [account.element, people.element],
    ),
  );
  const loadPerson = () =>
    Promise.all([
      attempt([about], signal, () => showAbout(about, signal)),
      attempt([goals], signal, () => showGoals(goals, signal)),
    ]);
  live.listen((types) => {
    const isEditing = [about, goals].some(({ element }) => element.contains(document.activeElement));
    if (types.size === 0 && !isEditing) loadPerson();
  }, signal);
  await Promise.all([loadPerson(), attempt([units], signal, () => showUnits(units, signal))]);
}

async function showAbout(box, signal) {
  const current = await api.read("characteristics");
  if (signal.aborted) return;
  const choices = ["biologicalSex", "bloodType", "fitzpatrickSkinType", "wheelchairUse"];
  box.show(
    characteristicField("dateOfBirth", current),
    html("div.fields", choices.map((member) => characteristicField(member, current))),
    html(
      "p.muted.small",
      localized(
        "Date of birth and sex are used for your resting energy and heart-rate zones. They never leave this server.",
      ),
    ),
  );
}

// Goals

async function showGoals(box, signal) {
  const [{ current: goals }, characteristics] = await Promise.all([api.read("goals"), api.read("characteristics")]);
  if (signal.aborted) return;
  const isTime = characteristics.activityMoveModeName === "appleMoveTime";
  const moveGoal = isTime ? "appleMoveTimeGoal" : "activeEnergyBurnedGoal";
  const inputs = {
    [moveGoal]: goalInput("move", goals[moveGoal], 10, 25000),
    exerciseTimeGoal: goalInput("exercise", goals.exerciseTimeGoal, 1, 600),
    standHoursGoal: goalInput("stand", goals.standHoursGoal, 1, 24),
  };
  const moveUnit = goals[moveGoal]?.unit ?? (isTime ? "min" : "kcal");
  const units = { [moveGoal]: moveUnit, exerciseTimeGoal: "min", standHoursGoal: "count" };
  box.show(
    html(
      "form.stack",
      {
        novalidate: true,
        onsubmit: async (event) => {
          event.preventDefault();
          await saveGoals(inputs, units);
        },
      },
      html(
        "div.fields",
        field(localized("Move"), inputs[moveGoal], { unit: unitName(units[moveGoal]) }),
        field(localized("Exercise"), inputs.exerciseTimeGoal, { unit: unitName("min") }),
        field(localized("Stand"), inputs.standHoursGoal, { unit: unitName("hr") }),
      ),
      characteristicField("activityMoveMode", characteristics, () => showGoals(box, signal)),
      html("div", html("button.button.primary", { type: "submit" }, localized("Save goals"))),
      html(
        "p.muted.small",
        localized("Earlier days, and days that a watch has recorded, keep the goals that were set then."),
      ),
    ),
  );
}

function goalInput(name, goal, min, max) {
  const value = goal ? String(Math.round(goal.quantity * 10) / 10) : "";
  const input = numberInput({ value, min, max });
  input.name = name;
  return input;
}

async function saveGoals(inputs, units) {
  const goals = {};
  for (const [name, input] of Object.entries(inputs)) {
    const quantity = readNumber(input);
    if (quantity === undefined) return;
    goals[name] = { quantity, unit: units[name] };
  }
  try {
    await api.put("goals", goals);
    toast(localized("Goals saved, from today on."));
  } catch (error) {
    toast(api.reason(error));
  }
}

// Units

async function showUnits(box, signal) {
  const { preferredUnits } = await api.read("preferred-units", { types: Object.keys(unitChoices).join(",") });
  if (signal.aborted) return;
  box.show(html("div.fields", Object.entries(preferredUnits).map(([type, unit]) => unitField(type, unit))));
}

function unitField(type, current) {
  const choices = [...new Set([current, ...(unitChoices[shortName(type)] ?? [])])];
  const name = (unit) => unitName(unit, type) || unit;
  const save = async (unit) => {
    try {
      await api.put("preferred-units", { preferredUnits: { [type]: unit } });
      toast(localized("{type} is shown in {unit}.", { type: typeName(type), unit: name(unit) }));
    } catch (error) {
      toast(api.reason(error));
    }
  };
  return field(typeName(type), select(choices.map((unit) => [unit, name(unit)]), current, save));
}

// Appearance and session

function themeField() {
  const themes = [["system", localized("Automatic")], ["light", localized("Light")], ["dark", localized("Dark")]];
  return html(
    "div.field",
    html("span.label", { "aria-hidden": "true" }, localized("Theme")),
    segmented(localized("Theme"), themes, globalThis.theme.choice(), (value) => globalThis.theme.choose(value)),
  );
}

/** The language of the page. Each is named in itself. */
function languageField() {
  const name = (one) => new Intl.DisplayNames([one], { type: "language" }).of(one);
  const automatic = ["", localized("Automatic ({choice})", { choice: name(browserLanguage) })];
  const choices = [automatic, ...languages.map((one) => [one, name(one)])];
  const control = select(choices, chosenLanguage ?? "", (value) => {
    chooseLanguage(value || undefined);
    location.reload();
  });
  control.name = "language";
  return field(localized("Language"), control);
}

function timeZoneField() {
  const zones = typeof Intl.supportedValuesOf === "function" ? Intl.supportedValuesOf("timeZone") : [];
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const automatic = ["automatic", localized("Automatic ({choice})", { choice: api.session.automaticZone ?? own })];
  const choices = [automatic, ...zones.map((zone) => [zone, zone.replaceAll("_", " ")])];
  const control = select(
    choices,
    localStorage.getItem("timeZone") ?? "automatic",
    (value) => choose("timeZone", value),
  );
  return field(localized("Time zone"), control, {
    hint: localized("Days, weeks and times of the page are in this time zone."),
  });
}

function personField() {
  if (api.session.hasMorePeople) return personButton((person) => choose("person", person));
  const people = api.session.people.map(({ person, name }) => [person, name]);
  if (people.length < 2) return null;
  return field(localized("Person"), select(people, api.session.person, (value) => choose("person", value)));
}

/** Remembers a choice in this browser and reloads the page. */
function choose(name, value) {
  localStorage.setItem(name, value);
  location.reload();
}

/** The browsers that are signed in, each of which can be signed out. */
async function showBrowsers(place, signal) {
  let sessions = [];
  try {
    ({ sessions } = await api.request("GET", "/v1/sessions"));
  } catch (error) {
    toast(api.reason(error));
  }
  if (signal.aborted) return;
  const others = sessions.filter(({ isOwn }) => !isOwn);
  put(place, others.map((session) => browserRow(session, () => showBrowsers(place, signal))), signOutRow());
}

function browserRow({ id, name, created }, refresh) {
  const signOut = async () => {
    try {
      await api.request("DELETE", `/v1/sessions/${id}`);
      await refresh();
    } catch (error) {
      toast(api.reason(error));
    }
  };
  return html(
    "div.row.apart",
    html("span", name, html("span.muted.small", ` ${date(created, "moment")}`)),
    html("button.button.small", { type: "button", onclick: signOut }, localized("Sign out")),
  );
}

function signOutRow() {
  const signOut = async () => {
    try {
      await api.signOut();
    } catch (error) {
      toast(api.reason(error));
      return;
    }
    location.hash = "#/sign-in";
    location.reload();
  };
  const state = html("span.muted.small", localized("This browser is signed in."));
  ownURL().then((url) => {
    if (url) state.append(" ", localized("Its notifications stay on until you remove it in Data."));
  });
  return html(
    "div.row.apart",
    state,
    html("button.button.small", { type: "button", onclick: signOut }, localized("Sign out")),
  );
}
