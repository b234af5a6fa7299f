// Builds elements. Text is always set as text, never parsed as HTML.

const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * Creates an element: `html("p.muted.small", { id: "x", onclick: save }, "text", child)`.
 *
 * Properties are optional. Those that begin with `on` are event listeners; `true` sets an empty attribute; `false`,
 * `null` and `undefined` set none. Children are nodes, text, numbers, lists of them, or nothing.
 */
export function html(name, ...content) {
  const [tag, ...classes] = name.split(".");
  return fill(document.createElement(tag), classes, content);
}

/** Creates an SVG element in the same way. */
export function svg(name, ...content) {
  const [tag, ...classes] = name.split(".");
  return fill(document.createElementNS(svgNamespace, tag), classes, content);
}

function fill(element, classes, content) {
  const hasProperties = content[0] && Object.getPrototypeOf(content[0]) === Object.prototype;
  const [properties, children] = hasProperties ? [content[0], content.slice(1)] : [{}, content];
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const [name, value] of Object.entries(properties)) setProperty(element, classes, name, value);
  append(element, children);
  return element;
}

function setProperty(element, classes, name, value) {
  if (value === false || value === null || value === undefined) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "class") element.setAttribute("class", [...classes, value].join(" "));
  else if (name === "value" && "value" in element && element.tagName !== "LI") element.value = value;
  else element.setAttribute(name, value === true ? "" : String(value));
}

function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child);
  }
}

/** Replaces the children of an element. The focus stays on what is named the same, else near its place. */
export function put(element, ...children) {
  const place = focusPlace(element);
  element.replaceChildren();
  append(element, children);
  if (place) focusAt(element, place);
  return element;
}

const operable = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex='0']";
const nameOf = (one) => `${one.tagName} ${one.ariaLabel ?? one.textContent}`;

/** Where the focus is within an element; `null` if it is elsewhere. */
export function focusPlace(element) {
  const active = document.activeElement;
  if (active === element || !element.contains(active)) return null;
  return { name: nameOf(active), index: [...element.querySelectorAll(operable)].indexOf(active) };
}

/** Moves the focus to the place in an element: to what is named the same, the one at the same place first. */
export function focusAt(element, { name, index }) {
  const found = [...element.querySelectorAll(operable)];
  const isNamed = (one) => one && nameOf(one) === name;
  const same = isNamed(found[index]) ? found[index] : found.find(isNamed);
  focus(same ?? found[Math.min(index, found.length - 1)]);
}

/** Moves the focus to an element or, if it is gone, to the heading of the screen: never to the body. */
export function focus(element) {
  const target = element?.isConnected && !element.disabled && !element.hidden ? element : document.querySelector("h1");
  target?.focus({ preventScroll: true });
}

/** Disables or hides a button. If it has the focus, that goes to another element. */
export function withdraw(button, property, isWithdrawn, next) {
  const hadFocus = document.activeElement === button;
  button[property] = isWithdrawn;
  if (isWithdrawn && hadFocus) focus(next);
}

/** An icon of icons/icons.svg; hidden from screen readers because text stands beside it. */
export function icon(name, className = "") {
  return svg(
    "svg",
    { class: `icon ${className}`.trim(), "aria-hidden": "true" },
    svg("use", { href: `icons/icons.svg#${name}` }),
  );
}

let lastIdentifier = 0;

/** Returns an element identifier that is unique on the page. */
export function uniqueID(prefix = "e") {
  lastIdentifier += 1;
  return `${prefix}-${lastIdentifier}`;
}

/** Lets a screen reader say something that is only visible otherwise. */
export function announce(text) {
  const region = document.getElementById("announcer");
  if (!region) return;
  region.textContent = "";
  setTimeout(() => {
    region.textContent = text;
  }, 30);
}

/** Returns a function that runs `work` once calls have stopped for `milliseconds`. */
export function debounced(work, milliseconds) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}
