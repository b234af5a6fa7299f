// Searches the text of all pages: every word has to be in a section, and headings count more than text.
const box = document.querySelector("input[type=search]"), list = document.querySelector("#search-results");
let sections; // [page, heading, address, text], from search-index.js, which is loaded with the first search.

function loadIndex() {
  return sections ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = ROOT + "search-index.js";
    script.onload = () => resolve(SECTIONS.map(([page, heading, address, text]) =>
      ({ page, heading, address, text, title: `${page} ${heading}`.toLowerCase(), body: text.toLowerCase() })));
    script.onerror = reject;
    document.head.append(script);
  });
}

// Words of questions that say nothing about the answer.
const fillers = new Set(("a an and are can do does for from get how i in is it me my of on or the this to what when"
  + " where which why with").split(" "));

function wordsOf(text) {
  const all = text.toLowerCase().split(/[\s?]+/).filter(Boolean), asked = all.filter(word => !fillers.has(word));
  return asked.length ? asked : all;
}

// A word without its ending, with which its other forms begin: “share” and “sharing”, “routes” and “route”.
function stem(word) {
  const ending = ["ing", "ion", "ed", "es", "s", "e"].find(end => word.endsWith(end) && word.length - end.length >= 4);
  return ending ? word.slice(0, -ending.length) : word;
}

const escaped = word => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// How a text has a word: as it is, at the beginning of a longer one, in another form, within one, or not.
function place(text, word) {
  if (!text.includes(stem(word))) return "none";
  const edge = "[^\\p{L}\\d]", begins = part => `(?:^|${edge})${escaped(part)}`;
  if (new RegExp(`${begins(word)}(?:$|${edge})`, "u").test(text)) return "whole";
  if (new RegExp(begins(word), "u").test(text)) return "start";
  if (new RegExp(begins(stem(word)), "u").test(text)) return "form";
  return text.includes(word) ? "within" : "none";
}

const inTitle = { whole: 12, start: 10, form: 8, within: 2, none: 0 };
const inBody = { whole: 4, start: 3, form: 2, within: 1, none: 0 };
// Who looks for a word has a goal first, and then wants to know how it is done.
const behind = "Decisions|Format|Archive|Building|DataPath|CONTRIBUTING|CHANGELOG|SECURITY|\\w+-reference";
const isBehind = new RegExp(`^api/|guides/(${behind})\\b`);

// Zero if a word is missing. A heading that is the word counts most, then one in which a word begins with it.
function score(section, words) {
  let sum = 0;
  for (const word of words) {
    const points = inTitle[place(section.title, word)] + inBody[place(section.body, word)];
    if (points === 0) return 0;
    sum += points;
  }
  if (section.heading.toLowerCase() === words.join(" ")) sum += 20;
  return isBehind.test(section.address) ? sum / 3 : sum;
}

const forms = words => [...words, ...words.map(stem)];

function marked(text, words) {
  return text.split(new RegExp(`(${forms(words).map(escaped).join("|")})`, "i")).map((part, index) => {
    if (index % 2 === 0) return part;
    const mark = document.createElement("mark");
    mark.textContent = part;
    return mark;
  });
}

function excerpt(section, words) {
  const places = forms(words).map(word => section.body.indexOf(word)).filter(place => place >= 0);
  const from = Math.max(0, Math.min(...places, section.text.length) - 60);
  const text = section.text.slice(from, from + 190);
  return (from > 0 ? "…" : "") + text + (from + 190 < section.text.length ? "…" : "");
}

async function search() {
  const words = wordsOf(box.value);
  if (!words.length) return list.replaceChildren();
  const all = await loadIndex();
  if (words.join() !== wordsOf(box.value).join()) return;
  const found = all.map(section => [score(section, words), section]).filter(([score]) => score > 0)
    .sort(([first], [second]) => second - first).slice(0, 40);
  list.replaceChildren(...found.map(([, section]) => {
    const link = document.createElement("a"), title = document.createElement("b"), text = document.createElement("p");
    link.href = ROOT + section.address;
    title.append(...marked(section.heading || section.page, words));
    link.append(title, section.heading && section.heading !== section.page ? ` – ${section.page}` : "", text);
    text.append(...marked(excerpt(section, words), words));
    return link;
  }));
  if (!found.length) {
    const text = document.createElement("p");
    text.textContent = `Nothing has all of these words: ${words.join(" ")}.`;
    list.append(text);
  }
}

box.addEventListener("focus", loadIndex, { once: true });
box.addEventListener("input", search);
document.addEventListener("keydown", event => {
  const links = [...list.querySelectorAll("a")], place = links.indexOf(document.activeElement);
  if (event.key === "/" && document.activeElement !== box) {
    event.preventDefault();
    box.focus();
  } else if (event.key === "Escape" && (document.activeElement === box || place >= 0)) {
    box.value = "";
    search();
    box.focus();
  } else if (event.key === "Enter" && document.activeElement === box && links.length) {
    links[0].click();
  } else if (event.key === "ArrowDown" && links.length && (document.activeElement === box || place >= 0)) {
    event.preventDefault();
    links[Math.min(place + 1, links.length - 1)].focus();
  } else if (event.key === "ArrowUp" && place >= 0) {
    event.preventDefault();
    (links[place - 1] ?? box).focus();
  }
});
// A section of the same page is where the result leads: the list has served its purpose.
list.addEventListener("click", event => {
  if (event.target.closest("a")) list.replaceChildren();
});
// An address can have a search: index.html?q=sleep
box.value = new URLSearchParams(location.search).get("q") ?? "";
search();
