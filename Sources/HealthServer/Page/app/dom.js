// Builds elements. Text is always set as text, never parsed as HTML.

const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * Creates an element: `h("p.muted.small", {id: "x", onclick: save}, "text", child)`.
 *
 * Properties that begin with `on` are event listeners; `true` sets an empty attribute; `false`, `null` and
 * `undefined` set none. Children may be nodes, text, numbers, lists of them, or nothing.
 */
export function h(name, properties, ...children) {
  const [tag, ...classes] = name.split(".");
  return fill(document.createElement(tag || "div"), classes, properties, children);
}

/** Creates an SVG element in the same way. */
export function s(name, properties, ...children) {
  const [tag, ...classes] = name.split(".");
  return fill(document.createElementNS(svgNamespace, tag), classes, properties, children);
}

function fill(element, classes, properties, children) {
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.setAttribute("class", [...classes, value].join(" "));
    else if (key === "value" && "value" in element && element.tagName !== "LI") element.value = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child);
  }
}

/** Replaces the children of an element. */
export function put(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** An icon of icons/icons.svg; hidden from screen readers because text stands beside it. */
export function icon(name, className = "") {
  return s("svg", { class: `icon ${className}`.trim(), "aria-hidden": "true" }, s("use", { href: `icons/icons.svg#${name}` }));
}

let lastIdentifier = 0;

/** Returns an element identifier that is unique on the page. */
export function uniqueID(prefix = "e") {
  lastIdentifier += 1;
  return `${prefix}-${lastIdentifier}`;
}

/** Tells a screen reader something that is only visible otherwise. */
export function announce(text) {
  const region = document.getElementById("announcer");
  if (!region) return;
  region.textContent = "";
  setTimeout(() => { region.textContent = text; }, 30);
}

/** Returns a function that runs `work` once calls have stopped for `milliseconds`. */
export function debounced(work, milliseconds) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}
