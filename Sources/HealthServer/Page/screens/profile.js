// Profile: who the person is, the goals of the rings, units, and how the page looks.

import * as api from "../app/api.js";
import { live } from "../app/live.js";
import { addDays, dateOf, instant } from "../app/calendar.js";
import { html, put } from "../app/dom.js";
import { unitName } from "../app/format.js";
import { typeName } from "../app/types.js";
import { card, failure, head, liveMark, skeleton } from "../components/cards.js";
import { field, numberInput, readNumber, segmented, select } from "../components/controls.js";
import { toast } from "../components/dialogs.js";

/** The choices of each characteristic, as HealthKit names them. */
const choices = {
  biologicalSex: ["Sex", [["", "Not set"], ["female", "Female"], ["male", "Male"], ["other", "Other"]]],
  bloodType: ["Blood type", [
    ["", "Not set"],
    ["aPositive", "A+"],
    ["aNegative", "A−"],
    ["bPositive", "B+"],
    ["bNegative", "B−"],
    ["abPositive", "AB+"],
    ["abNegative", "AB−"],
    ["oPositive", "O+"],
    ["oNegative", "O−"],
  ]],
  fitzpatrickSkinType: ["Fitzpatrick skin type", [
    ["", "Not set"],
    ...["I", "II", "III", "IV", "V", "VI"].map((name) => [name, `Type ${name}`]),
  ]],
  wheelchairUse: ["Wheelchair", [["", "Not set"], ["no", "No"], ["yes", "Yes"]]],
  activityMoveMode: ["Move goal in", [["activeEnergy", "Active energy"], ["appleMoveTime", "Minutes"]]],
};

const systems = {
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

/** Sends one characteristic. */
export async function saveCharacteristic(member, value) {
  await api.patch("characteristics", { [member]: value === "" ? null : value });
  toast("Saved.");
}

/** A field of a characteristic that saves itself. */
export function characteristicField(member, current, saved = () => {}) {
  const save = async (value) => {
    try {
      await saveCharacteristic(member, value);
      saved();
    } catch (error) {
      toast(error.message);
    }
  };
  if (member === "dateOfBirth") {
    const input = html("input", {
      type: "date",
      value: current?.dateOfBirth ?? "",
      max: dateOf(),
      name: member,
      autocomplete: "bday",
    });
    input.addEventListener("change", () => save(input.value));
    return field("Date of birth", input);
  }
  const [label, options] = choices[member];
  const named = current?.[`${member}Name`];
  const shown = options.some(([value]) => value === named) ? named : options[0][0];
  const control = select(options, shown, save);
  control.name = member;
  return field(label, control);
}

export async function render({ main, signal }) {
  const person = api.session.people.find((one) => one.person === api.session.person);
  const about = card("About you", { symbol: "profile" }, skeleton("line", "line", "line"));
  const goals = card("Goals", { tone: "activity", symbol: "today" }, skeleton("line", "line"));
  const units = card("Units", { symbol: "scale" }, skeleton("line", "line"));
  const page = card("Appearance", { symbol: "theme" }, appearance());
  const account = card("Session", { symbol: "key" }, sessionPart());
  put(
    main,
    head("Profile", {
      eyebrow: person && person.name !== "me" ? person.name : "You and your goals",
      actions: [liveMark()],
    }),
    html("div.grid", about.element, goals.element, units.element, html("div.stack", page.element, account.element)),
  );
  const attempt = (box, work) =>
    work().catch((error) => {
      if (!signal.aborted && error.name !== "AbortError") box.show(failure(error, () => attempt(box, work)));
    });
  await Promise.all([
    attempt(about, () => showAbout(about, signal)),
    attempt(goals, () => showGoals(goals, signal)),
    attempt(units, () => showUnits(units, signal)),
  ]);
  live.listen((types) => {
    const isEditing = about.element.contains(document.activeElement) || goals.element.contains(document.activeElement);
    if (types.size === 0 && !isEditing) {
      Promise.all([
        attempt(about, () => showAbout(about, signal)),
        attempt(goals, () => showGoals(goals, signal)),
      ]);
    }
  }, signal);
}

async function showAbout(box, signal) {
  const current = await api.read("characteristics");
  if (signal.aborted) return;
  box.show(
    characteristicField("dateOfBirth", current),
    html(
      "div.fields",
      ["biologicalSex", "bloodType", "fitzpatrickSkinType", "wheelchairUse"].map((member) =>
        characteristicField(member, current)
      ),
    ),
    html(
      "p.muted.small",
      "Date of birth and sex are used for your resting energy and heart-rate zones. They never leave this server.",
    ),
  );
}

async function showGoals(box, signal) {
  const today = dateOf();
  const [{ goals }, current, recent] = await Promise.all([
    api.read("goals"),
    api.read("characteristics"),
    api.read("activity-summaries", { start: instant(addDays(today, -13)), end: instant(addDays(today, 1)) }),
  ]);
  if (signal.aborted) return;
  // Goals that nobody set here came with the days of a watch.
  const now = Object.assign({}, recent.activitySummaries.at(-1), ...goals);
  const isTime = current.activityMoveModeName === "appleMoveTime";
  const move = numberInput({
    value: text((isTime ? now.appleMoveTimeGoal : now.activeEnergyBurnedGoal)?.quantity),
    min: 10,
    max: 5000,
  });
  const exercise = numberInput({ value: text(now.exerciseTimeGoal?.quantity), min: 1, max: 600 });
  const stand = numberInput({ value: text(now.standHoursGoal?.quantity), min: 1, max: 24 });
  move.name = "move";
  exercise.name = "exercise";
  stand.name = "stand";
  box.show(html(
    "form.stack",
    {
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        const values = [move, exercise, stand].map(readNumber);
        if (values.includes(undefined)) return;
        try {
          await api.put("goals", {
            ...(isTime
              ? { appleMoveTimeGoal: { quantity: values[0], unit: "min" } }
              : { activeEnergyBurnedGoal: { quantity: values[0], unit: "kcal" } }),
            exerciseTimeGoal: { quantity: values[1], unit: "min" },
            standHoursGoal: { quantity: values[2], unit: "count" },
          });
          toast("Goals saved, from today on.");
        } catch (error) {
          toast(error.message);
        }
      },
    },
    html(
      "div.fields",
      field("Move", move, { unit: isTime ? "min" : "kcal" }),
      field("Exercise", exercise, { unit: "min" }),
      field("Stand", stand, { unit: "h" }),
    ),
    characteristicField("activityMoveMode", current, () => showGoals(box, signal)),
    html("div", html("button.button.primary", { type: "submit" }, "Save goals")),
    html("p.muted.small", "Earlier days, and days that a watch has recorded, keep the goals that were set then."),
  ));
}

const text = (value) => (value === undefined ? "" : String(Math.round(value * 10) / 10));

async function showUnits(box, signal) {
  const { preferredUnits } = await api.read("preferred-units", { types: Object.keys(systems).join(",") });
  if (signal.aborted) return;
  box.show(html(
    "div.fields",
    Object.entries(preferredUnits).map(([type, unit]) => {
      const name = Object.keys(systems).find((short) => type.toLowerCase().endsWith(short.toLowerCase()));
      if (!name) return null;
      const options = [...new Set([unit, ...systems[name]])];
      const control = select(
        options.map((option) => [option, unitName(option, type) || option]),
        unit,
        async (value) => {
          try {
            await api.put("preferred-units", { preferredUnits: { [type]: value } });
            toast(`${typeName(type)} is shown in ${unitName(value, type) || value}.`);
          } catch (error) {
            toast(error.message);
          }
        },
      );
      return field(typeName(type), control);
    }),
  ));
}

function appearance() {
  const zones = typeof Intl.supportedValuesOf === "function" ? Intl.supportedValuesOf("timeZone") : [];
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [
    html(
      "div.field",
      html("span.label", { "aria-hidden": "true" }, "Theme"),
      segmented(
        "Theme",
        [["system", "Automatic"], ["light", "Light"], ["dark", "Dark"]],
        globalThis.theme.choice(),
        (value) => globalThis.theme.choose(value),
      ),
    ),
    field(
      "Time zone",
      select(
        [
          ["automatic", `Automatic (${api.session.automaticZone ?? own})`],
          ...zones.map((zone) => [zone, zone.replaceAll("_", " ")]),
        ],
        localStorage.getItem("timeZone") ?? "automatic",
        (value) => {
          localStorage.setItem("timeZone", value);
          location.reload();
        },
      ),
      { hint: "Days, weeks and times of the page are in this time zone." },
    ),
  ];
}

function sessionPart() {
  const people = api.session.people;
  return [
    people.length > 1 &&
    field(
      "Person",
      select(people.map((one) => [one.person, one.name]), api.session.person, (value) => {
        localStorage.setItem("person", value);
        location.reload();
      }),
    ),
    html(
      "div.row.apart",
      html("span.muted.small", "This browser is signed in."),
      html("button.button.small", {
        type: "button",
        onclick: async () => {
          await api.request("DELETE", "/v1/session");
          location.hash = "#/sign-in";
          location.reload();
        },
      }, "Sign out"),
    ),
  ];
}
