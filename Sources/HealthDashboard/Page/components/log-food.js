// The food picker: search, servings, and foods of one's own.

import * as api from "../app/api.js";
import { addDays, dateOf, instant } from "../app/calendar.js";
import { debounced, html, icon, put } from "../app/dom.js";
import { foods, foodSample, inGrams, inKilocalories, ownFoods, removeFood, saveFood } from "../app/foods.js";
import { number, numberIn, numberText } from "../app/format.js";
import { localized, plural } from "../app/language.js";
import { iconButton, scrollArea, titled } from "./cards.js";
import { field, numberInput, readNumber, reject } from "./controls.js";
import { openDialog, toast } from "./dialogs.js";
import { momentFields, submitLabel } from "./log-forms.js";

const recentDays = 90;
const recentSamples = 60;
const mostRecent = 8;
const mostOfTable = 30;
const millisecondsBeforeSearch = 200;

/** Opens the picker. `log(samples, text)` saves. */
export async function logFood(log, entry) {
  const eaten = entry && loggedFood(entry);
  if (eaten) {
    chooseServings(eaten, log, entry);
    return;
  }
  const picker = new FoodPicker(log);
  picker.open();
  await Promise.all([picker.loadRecent(), picker.find()]);
}

class FoodPicker {
  constructor(log) {
    this.log = log;
    this.recent = [];
    this.table = [];
    this.list = html("ul.list", { "aria-label": localized("Foods") });
    this.search = html("input", { type: "search", placeholder: localized("Search foods"), autocomplete: "off" });
    this.search.setAttribute("data-autofocus", "");
    const find = debounced(() => this.find(), millisecondsBeforeSearch);
    this.search.addEventListener("input", () => {
      this.show();
      find();
    });
  }

  open() {
    const create = () => {
      this.dialog.close();
      createFood(this.search.value.trim(), this.log);
    };
    const file = html("input", {
      type: "file",
      accept: ".csv,.txt,text/csv",
      class: "sr",
      tabindex: "-1",
      "aria-label": localized("Table of foods"),
      onchange: () => file.files.length > 0 && this.importTable(file.files[0]),
    });
    this.search.addEventListener("keydown", async (event) => {
      if (event.key !== "Enter") return;
      // A scanner of barcodes ends with it.
      event.preventDefault();
      await this.find();
      const [only, ...others] = this.table;
      if (!only?.isFound || others.length > 0) return;
      this.dialog.close();
      chooseServings(only, this.log);
    });
    const area = scrollArea(localized("Foods to choose from"), this.list);
    area.classList.add("tall");
    this.dialog = openDialog(localized("Log food"), {
      build: () => [
        field(localized("Name or barcode"), this.search),
        html(
          "div.row",
          html(
            "button.button",
            { type: "button", "data-action": "new-food", onclick: create },
            icon("plus"),
            localized("Add your own food"),
          ),
          html(
            "button.button",
            { type: "button", "data-action": "import-foods", onclick: () => file.click() },
            icon("upload"),
            localized("Import a table"),
          ),
        ),
        file,
        area,
        html(
          "p.muted.small",
          localized(
            "A table is a CSV file with name, serving, energy (kcal), protein, carbohydrates, fat (g) and barcode.",
          ),
        ),
      ],
    });
    this.show();
  }

  /** Finds foods of the person's table by words or, if only digits are typed or scanned, by barcode. */
  async find() {
    const text = this.search.value.trim();
    const isBarcode = /^\d{6,14}$/.test(text);
    try {
      const parameters = isBarcode ? { barcode: text } : { search: text };
      const { foods: found } = await api.request("GET", api.address("foods", parameters));
      if (text !== this.search.value.trim()) return;
      this.table = found.map((food) => ({ ...food, isFound: isBarcode }));
    } catch {
      // A server without a table has the other foods.
      this.table = [];
    }
    this.show();
  }

  async importTable(file) {
    try {
      const headers = { "Content-Type": "text/csv" };
      const { count } = await api.request("PUT", api.address("foods"), { body: file, headers });
      toast(plural(count, "{count} food imported.", "{count} foods imported.", { count: number(count) }));
      await this.find();
    } catch (error) {
      toast(api.reason(error));
    }
  }

  async loadRecent() {
    this.recent = await recentFoods();
    this.show();
  }

  show() {
    const text = this.search.value.trim().toLowerCase();
    const matches = ({ name }) => name.toLowerCase().includes(text);
    const own = ownFoods().filter(matches);
    const recent = this.recent.filter((food) => matches(food) && !own.some(({ name }) => name === food.name));
    const known = foods.filter(matches);
    const table = this.table.filter((food) => food.isFound || matches(food)).slice(0, mostOfTable);
    const remove = (food) =>
      iconButton("trash", localized("Remove {name} from your foods", food), () => {
        removeFood(food.name);
        this.show();
      }, { class: "quiet" });
    put(
      this.list,
      this.section(localized("Your foods"), own, remove),
      this.section(localized("From your table"), table),
      this.section(localized("Recently logged"), recent),
      this.section(localized("All foods"), known),
    );
    if (this.list.children.length > 0) return;
    put(this.list, html("li", html("span.detail", localized("No food of this name. Add it with its energy."))));
  }

  section(title, items, action = () => null) {
    if (items.length === 0) return [];
    const rows = items.map((food) => html("li", this.button(food), action(food)));
    return [html("li.group-title", title), rows];
  }

  button(food) {
    const choose = () => {
      this.dialog.close();
      chooseServings(food, this.log);
    };
    return html(
      "button.rowlike",
      { type: "button", "data-food": food.name, onclick: choose },
      titled(food.name, food.serving),
      html("span.value", `${number(food.energy)} kcal`),
    );
  }
}

/** The foods that were logged in the last three months, each as it was logged last. */
async function recentFoods() {
  try {
    const start = instant(addDays(dateOf(), -recentDays));
    const { samples } = await api.read("samples", { type: "food", start, sort: "-startDate", limit: recentSamples });
    const found = new Map();
    for (const food of samples.map(loggedFood)) if (food && !found.has(food.name)) found.set(food.name, food);
    return [...found.values()].slice(0, mostRecent);
  } catch {
    return [];
  }
}

/** The parts of a food that have their own fields. */
const namedMembers = /Dietary(EnergyConsumed|Protein|Carbohydrates|FatTotal)$/;

/** The food of a sample; nothing if it has no name or no energy. */
function loggedFood({ metadata, objects = [] }) {
  const member = (suffix) => objects.find(({ type }) => type.endsWith(suffix));
  const mass = (suffix) => member(suffix) ? inGrams(member(suffix)) : 0;
  const name = metadata?.HKFoodType;
  const energy = member("DietaryEnergyConsumed");
  if (typeof name !== "string" || energy === undefined) return null;
  return {
    name,
    serving: localized("as logged"),
    energy: inKilocalories(energy),
    protein: mass("Protein"),
    carbohydrates: mass("Carbohydrates"),
    fat: mass("FatTotal"),
    others: objects.filter(({ type }) => !namedMembers.test(type)),
  };
}

function chooseServings(food, log, entry) {
  const servings = numberInput({ value: "1", min: 0.1, max: 20 });
  const moment = momentFields({ moment: entry?.startDate });
  const total = html("p.figure", { "aria-live": "polite" });
  const entered = () => numberIn(servings.value) || 0;
  const show = () => put(total, number(food.energy * entered()), html("small", "kcal"));
  const step = (change) => {
    servings.value = numberText(Math.max(0.5, Math.round((entered() + change) * 10) / 10));
    show();
  };
  const stepButton = (text, label, change) =>
    html("button.button.icon-only", { type: "button", "aria-label": label, onclick: () => step(change) }, text);
  servings.addEventListener("input", show);
  openDialog(food.name, {
    submit: submitLabel(entry, localized("Log food")),
    build: () => [
      html("div.row.apart", html("span.muted", localized("Serving: {serving}", food)), total),
      html(
        "div.row.low",
        html("div.grow", field(localized("Servings"), servings)),
        stepButton("−", localized("Half a serving less"), -0.5),
        stepButton("+", localized("Half a serving more"), 0.5),
      ),
      moment.element,
    ],
    onsubmit: async () => {
      const count = readNumber(servings);
      const start = moment.read();
      if (count === undefined || !start) return false;
      const amount = `${number(food.energy * count)} kcal`;
      const text = localized("{what}, {amount}, logged.", { what: food.name, amount });
      await log([foodSample(food, count, start.toISOString())], text);
      return true;
    },
  });
  show();
}

function createFood(name, log) {
  const title = html("input", { value: name, autocomplete: "off", "data-autofocus": true });
  const serving = html("input", { value: localized("1 serving"), autocomplete: "off" });
  const energy = numberInput({ min: 0, max: 10000 });
  const nutrient = () => numberInput({ min: 0, max: 1000, required: false });
  const [protein, carbohydrates, fat] = [nutrient(), nutrient(), nutrient()];
  openDialog(localized("Add your own food"), {
    submit: localized("Save and log"),
    build: () => [
      field(localized("Name"), title),
      html("div.fields", field(localized("Serving"), serving), field(localized("Energy"), energy, { unit: "kcal" })),
      html(
        "div.fields",
        field(localized("Protein"), protein, { unit: "g" }),
        field(localized("Carbohydrates"), carbohydrates, { unit: "g" }),
        field(localized("Fat"), fat, { unit: "g" }),
      ),
      html("p.muted.small", localized("Your foods are saved in this browser. What you log is in your store.")),
    ],
    onsubmit: () => {
      if (!title.value.trim()) return reject(title, localized("Enter a name.")) ?? false;
      const values = [energy, protein, carbohydrates, fat].map(readNumber);
      if (values.includes(undefined)) return false;
      const food = {
        name: title.value.trim(),
        serving: serving.value.trim() || localized("1 serving"),
        energy: values[0],
        protein: values[1] ?? 0,
        carbohydrates: values[2] ?? 0,
        fat: values[3] ?? 0,
      };
      saveFood(food);
      setTimeout(() => chooseServings(food, log));
      return true;
    },
  });
}
