// The food picker: search, servings, own foods.

import * as api from "../app/api.js";
import { addDays, dateOf, instant } from "../app/calendar.js";
import { html, icon, put } from "../app/dom.js";
import { number } from "../app/format.js";
import { dropFood, foods, foodSample, keepFood, ownFoods } from "../app/foods.js";
import { field, numberInput, readNumber, reject } from "../components/controls.js";
import { openDialog } from "../components/dialogs.js";
import { momentFields } from "./log-forms.js";

/** Foods of the last three months that are in no list, by name, from what is in the store. */
async function loggedFoods() {
  try {
    const answer = await api.read("samples", {
      type: "food",
      start: instant(addDays(dateOf(), -90)),
      sort: "-startDate",
      limit: 60,
    });
    const found = new Map();
    for (const sample of answer.samples) {
      const name = sample.metadata?.HKFoodType;
      const energy = sample.objects?.find((object) => object.type.endsWith("DietaryEnergyConsumed"));
      if (typeof name !== "string" || !energy || found.has(name)) continue;
      const grams = (suffix) => sample.objects.find((object) => object.type.endsWith(suffix))?.quantity ?? 0;
      found.set(name, {
        name,
        serving: "as last time",
        energy: energy.quantity,
        protein: grams("Protein"),
        carbohydrates: grams("Carbohydrates"),
        fat: grams("FatTotal"),
        recent: true,
      });
    }
    return [...found.values()].slice(0, 8);
  } catch {
    return [];
  }
}

/** Opens the picker. `log(samples, text)` saves. */
export async function logFood(log) {
  const search = html("input", {
    type: "search",
    placeholder: "Search foods",
    autocomplete: "off",
    "data-autofocus": true,
  });
  const list = html("ul.list", { "aria-label": "Foods" });
  let recents = [];
  let dialog = null;

  const choose = (food) => {
    dialog.close();
    amount(food, log);
  };
  const item = (food) =>
    html(
      "li",
      html(
        "button.rowlike",
        {
          type: "button",
          "data-food": food.name,
          onclick: () => choose(food),
        },
        html("span.text", html("span.title", food.name), html("br"), html("span.detail", food.serving)),
        html("span.value", `${number(food.energy)} kcal`),
      ),
      food.own && html("button.button.quiet.icon-only.small", {
        type: "button",
        "aria-label": `Remove ${food.name} from your foods`,
        onclick: () => {
          dropFood(food.name);
          show();
        },
      }, icon("trash")),
    );
  const section = (
    title,
    items,
  ) => (items.length ? [html("li", { class: "group-title", role: "presentation" }, title), items.map(item)] : []);
  const show = () => {
    const text = search.value.trim().toLowerCase();
    const matches = (food) => food.name.toLowerCase().includes(text);
    const own = ownFoods().map((food) => ({ ...food, own: true })).filter(matches);
    const known = foods.filter(matches);
    const recent = recents.filter((food) => matches(food) && !own.some(({ name }) => name === food.name));
    put(list, section("Your foods", own), section("Logged lately", recent), section("All foods", known));
    if (!own.length && !recent.length && !known.length) {
      put(list, html("li", html("span.detail", "No food of this name. Add it with its energy.")));
    }
  };
  search.addEventListener("input", show);
  dialog = openDialog("Log food", {
    build: () => [
      field("Search", search),
      html(
        "button.button",
        {
          type: "button",
          "data-action": "new-food",
          onclick: () => {
            dialog.close();
            create(search.value.trim(), log);
          },
        },
        icon("plus"),
        "A food of your own",
      ),
      html("div.scroll.tall", { tabindex: "0", role: "region", "aria-label": "Foods to choose from" }, list),
    ],
  });
  show();
  recents = await loggedFoods();
  show();
}

function amount(food, log) {
  const servings = numberInput({ value: "1", min: 0.1, max: 20 });
  const moment = momentFields();
  const total = html("p.figure", { "aria-live": "polite" });
  const show = () => {
    const value = Number(servings.value.replace(",", "."));
    put(total, number(food.energy * (Number.isFinite(value) ? value : 0)), html("small", "kcal"));
  };
  const step = (change) => {
    const value = Number(servings.value.replace(",", ".")) || 1;
    servings.value = String(Math.max(0.5, Math.round((value + change) * 10) / 10));
    show();
  };
  servings.addEventListener("input", show);
  openDialog(food.name, {
    submit: "Log food",
    build: () => [
      html("div.row.apart", html("span.muted", `Serving: ${food.serving}`), total),
      html(
        "div.row.low",
        html("div.grow", field("Servings", servings)),
        html("button.button.icon-only", {
          type: "button",
          "aria-label": "Half a serving less",
          onclick: () => step(-0.5),
        }, "−"),
        html("button.button.icon-only", {
          type: "button",
          "aria-label": "Half a serving more",
          onclick: () => step(0.5),
        }, "+"),
      ),
      moment.element,
    ],
    onsubmit: async () => {
      const count = readNumber(servings);
      const when = moment.read();
      if (count === undefined || !when) return false;
      await log(
        [foodSample(food, count, when.toISOString())],
        `${food.name}, ${number(food.energy * count)} kcal, logged.`,
      );
      return true;
    },
  });
  show();
}

function create(name, log) {
  const title = html("input", { value: name, autocomplete: "off", "data-autofocus": true });
  const serving = html("input", { value: "1 serving", autocomplete: "off" });
  const energy = numberInput({ min: 0, max: 10000 });
  const [protein, carbohydrates, fat] = [0, 0, 0].map(() => numberInput({ min: 0, max: 1000, required: false }));
  openDialog("A food of your own", {
    submit: "Keep and log",
    build: () => [
      field("Name", title),
      html("div.fields", field("Serving", serving), field("Energy", energy, { unit: "kcal" })),
      html(
        "div.fields",
        field("Protein", protein, { unit: "g" }),
        field("Carbohydrates", carbohydrates, { unit: "g" }),
        field("Fat", fat, { unit: "g" }),
      ),
      html("p.muted.small", "Your foods are kept in this browser. What you log is in your store."),
    ],
    onsubmit: () => {
      if (!title.value.trim()) return reject(title, "Enter a name.") ?? false;
      const values = [energy, protein, carbohydrates, fat].map(readNumber);
      if (values.includes(undefined)) return false;
      const food = {
        name: title.value.trim(),
        serving: serving.value.trim() || "1 serving",
        energy: values[0],
        protein: values[1] ?? 0,
        carbohydrates: values[2] ?? 0,
        fat: values[3] ?? 0,
      };
      keepFood(food);
      setTimeout(() => amount(food, log));
      return true;
    },
  });
}
