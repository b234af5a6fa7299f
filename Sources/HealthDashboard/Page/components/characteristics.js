// Fields of what a person is, which save themselves, and the form for what the resting energy needs.

import * as api from "../app/api.js";
import { dateOf } from "../app/calendar.js";
import { html } from "../app/dom.js";
import { localized } from "../app/language.js";
import { field, numberInput, readNumber, select } from "./controls.js";
import { toast } from "./dialogs.js";

const notSet = ["", localized("Not set")];
const earliestBirth = "1880-01-01";

/** The label of each characteristic and its choices, as HealthKit names them. */
const characteristics = {
  biologicalSex: [localized("Sex"), [
    notSet,
    ["female", localized("Female")],
    ["male", localized("Male")],
    ["other", localized("Other")],
  ]],
  bloodType: [localized("Blood type"), [
    notSet,
    ["aPositive", "A+"],
    ["aNegative", "A−"],
    ["bPositive", "B+"],
    ["bNegative", "B−"],
    ["abPositive", "AB+"],
    ["abNegative", "AB−"],
    ["oPositive", "O+"],
    ["oNegative", "O−"],
  ]],
  fitzpatrickSkinType: [localized("Fitzpatrick skin type"), [
    notSet,
    ...["I", "II", "III", "IV", "V", "VI"].map((name) => [name, localized("Type {name}", { name })]),
  ]],
  wheelchairUse: [localized("Wheelchair"), [notSet, ["no", localized("No")], ["yes", localized("Yes")]]],
  activityMoveMode: [localized("Move goal in"), [
    ["activeEnergy", localized("Active energy")],
    ["appleMoveTime", localized("Minutes")],
  ]],
};

/** A field of a characteristic. `saved()` runs when the server has a new value. */
export function characteristicField(member, current, saved = () => {}) {
  const save = async (value) => {
    try {
      await api.patch("characteristics", { [member]: value === "" ? null : value });
      toast(localized("Saved."));
      saved();
    } catch (error) {
      toast(api.reason(error));
    }
  };
  return member === "dateOfBirth" ? dateOfBirthField(current, save) : choiceField(member, current, save);
}

function dateOfBirthField(current, save) {
  const value = current.dateOfBirth ?? "";
  const input = html("input", { type: "date", value, max: dateOf(), name: "dateOfBirth", autocomplete: "bday" });
  input.addEventListener("change", () => {
    // While it is typed, its first digits are a year, too.
    if (!input.validity.badInput && (!input.value || input.value >= earliestBirth)) save(input.value);
  });
  return field(localized("Date of birth"), input);
}

function choiceField(member, current, save) {
  const [label, choices] = characteristics[member];
  const value = current[`${member}Name`];
  const control = select(choices, choices.some(([choice]) => choice === value) ? value : choices[0][0], save);
  control.name = member;
  return field(label, control);
}

/** Asks for what the resting energy needs, where it would stand. `load()` runs when something was saved. */
export function missingFields(missing, load) {
  const saved = () => {
    api.forget();
    load();
  };
  const weight = missing.includes("weight") && numberInput({ min: 1, max: 700 });
  const height = missing.includes("height") && numberInput({ min: 30, max: 280 });
  const ofPerson = missing.filter((name) => name === "dateOfBirth" || name === "biologicalSex");
  return html(
    "form.stack",
    {
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        await saveMeasurements(weight, height, saved);
      },
    },
    html(
      "p.small",
      html("b", localized("Your resting energy needs a little more")),
      html("br"),
      localized("It is calculated from weight, height, age and sex."),
    ),
    html(
      "div.fields",
      weight && field(localized("Weight"), weight, { unit: "kg" }),
      height && field(localized("Height"), height, { unit: "cm" }),
      ofPerson.map((name) => characteristicField(name, {}, saved)),
    ),
    (weight || height) && html("div", html("button.button.primary.small", { type: "submit" }, localized("Save"))),
  );
}

async function saveMeasurements(weight, height, saved) {
  const startDate = new Date().toISOString();
  const samples = [];
  for (const [input, type, unit] of [[weight, "bodyMass", "kg"], [height, "height", "cm"]]) {
    const quantity = input ? readNumber(input) : null;
    if (quantity === undefined) return;
    if (quantity !== null) samples.push({ type, quantity, unit, startDate });
  }
  try {
    await api.save(samples);
    saved();
  } catch (error) {
    toast(api.reason(error));
  }
}
