// Foods to pick from. Energy in kilocalories, nutrients in grams, both for the serving named; typical values, rounded.
// A person's own foods are stored in the browser; what was logged before is read from the store.

import { session } from "./api.js";
import { translated } from "./language.js";

const table = `
Apple|1 medium|95|0.5|25|0.3
Banana|1 medium|105|1.3|27|0.4
Orange|1 medium|62|1.2|15|0.2
Grapes|1 cup|104|1.1|27|0.2
Strawberries|1 cup|49|1|12|0.5
Blueberries|1 cup|84|1.1|21|0.5
Avocado|half|160|2|9|15
Oatmeal|1 bowl|160|6|27|3
Muesli with milk|1 bowl|320|12|52|7
Yogurt, plain|1 cup|150|9|17|5
Greek yogurt|1 cup|190|18|8|10
Skyr|1 cup|130|22|8|0.4
Egg, boiled|1 large|78|6.3|0.6|5.3
Scrambled eggs|2 eggs|200|13|2|15
Pancakes|3 pieces|350|9|45|14
Croissant|1 piece|270|5|31|14
Bread, whole grain|1 slice|90|4|16|1.2
Bread with cheese|1 slice|190|10|17|9
Bread with jam|1 slice|150|4|31|1.4
Bagel|1 piece|270|10|53|1.6
Cheese|30 g|120|7|0.4|10
Butter|10 g|72|0.1|0|8
Peanut butter|1 tablespoon|95|4|3|8
Hummus|50 g|85|4|7|5
Chicken breast|150 g|248|46|0|5
Salmon|150 g|310|33|0|19
Tuna, canned|100 g|116|26|0|0.8
Steak|200 g|500|52|0|32
Tofu|150 g|180|18|4|11
Lentil soup|1 bowl|230|14|34|4
Chili con carne|1 bowl|380|27|30|16
Tomato soup|1 bowl|150|3|22|5
Rice, cooked|1 cup|205|4|45|0.4
Pasta with tomato sauce|1 plate|420|14|76|7
Spaghetti bolognese|1 plate|620|30|76|21
Potatoes, boiled|200 g|174|4|40|0.2
French fries|1 portion|365|4|48|17
Pizza|2 slices|570|24|72|20
Burger|1 piece|520|27|42|27
Burrito|1 piece|560|25|66|22
Sushi|8 pieces|350|14|62|5
Vegetable curry with rice|1 plate|480|12|75|15
Mixed salad|1 bowl|120|3|10|8
Caesar salad|1 bowl|360|11|14|30
Sandwich|1 piece|350|18|36|15
Almonds|30 g|174|6|6|15
Mixed nuts|30 g|180|5|7|16
Dark chocolate|25 g|150|2|11|11
Cookie|1 piece|80|1|11|4
Cake|1 slice|350|4|48|16
Ice cream|2 scoops|270|5|31|14
Potato chips|30 g|160|2|15|10
Granola bar|1 bar|140|3|19|6
Protein bar|1 bar|210|20|22|7
Protein shake|1 glass|160|25|9|3
Milk|1 glass|125|8|12|5
Oat drink|1 glass|110|2|17|4
Orange juice|1 glass|112|1.7|26|0.5
Cola|1 can|140|0|39|0
Coffee with milk|1 cup|30|1.5|2|1.5
Cappuccino|1 cup|90|6|9|4
Latte|1 large|190|12|18|7
Beer|0.5 L|215|2|18|0
Wine|1 glass|125|0.1|4|0`;

const mostOwnFoods = 200;

function parse(line) {
  const [name, serving, ...amounts] = line.split("|");
  const [energy, protein, carbohydrates, fat] = amounts.map(Number);
  const texts = { name: translated(name) ?? name, serving: translated(serving) ?? serving };
  return { ...texts, energy, protein, carbohydrates, fat };
}

export const foods = table.trim().split("\n").map(parse);

const storageKey = () => `foods:${session.person}`;

/** The person's own foods, newest first. */
export function ownFoods() {
  try {
    return JSON.parse(localStorage.getItem(storageKey()) ?? "[]");
  } catch {
    return [];
  }
}

export function saveFood(food) {
  const others = ownFoods().filter(({ name }) => name !== food.name);
  localStorage.setItem(storageKey(), JSON.stringify([food, ...others].slice(0, mostOwnFoods)));
}

export function removeFood(removed) {
  localStorage.setItem(storageKey(), JSON.stringify(ownFoods().filter(({ name }) => name !== removed)));
}

const kilocalories = { kcal: 1, Cal: 1, kJ: 1 / 4.184, cal: 1e-3, J: 1 / 4184 };
const grams = { g: 1, mg: 1e-3, mcg: 1e-6, kg: 1000, oz: 28.349523125, lb: 453.59237 };

/** An energy in kilocalories, and a mass in grams, whatever unit the person sees them in. */
export const inKilocalories = ({ quantity, unit }) => quantity * (kilocalories[unit] ?? 1);
export const inGrams = ({ quantity, unit }) => quantity * (grams[unit] ?? 1);

/** A food as a correlation of HealthKit: its energy and nutrients are separate samples. */
export function foodSample(food, servings, startDate) {
  const member = (type, amount, unit) => ({ type, quantity: Math.round(amount * servings * 100) / 100, unit });
  const nutrients = [
    ["dietaryProtein", food.protein],
    ["dietaryCarbohydrates", food.carbohydrates],
    ["dietaryFatTotal", food.fat],
  ];
  return {
    type: "food",
    startDate,
    metadata: { HKFoodType: food.name },
    objects: [
      member("dietaryEnergyConsumed", food.energy, "kcal"),
      ...nutrients.filter(([, amount]) => amount > 0).map(([type, amount]) => member(type, amount, "g")),
      ...(food.others ?? []).map(({ type, quantity, unit }) => ({ type, quantity: quantity * servings, unit })),
    ],
  };
}
