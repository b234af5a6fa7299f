// Activity rings, drawn as HealthKitUI's HKActivityRingView draws them: the same geometry, colors and order of parts.
// The page test compares the paths with those of `hk rings --svg`.

import { svg } from "../app/dom.js";
import { localized } from "../app/language.js";

const rings = [
  { name: "move", label: localized("Move"), color: [250, 17, 79], start: [200, 0, 32] },
  { name: "exercise", label: localized("Exercise"), color: [166, 255, 0], start: [88, 200, 0] },
  { name: "stand", label: localized("Stand"), color: [0, 255, 246], start: [0, 176, 224] },
];

const size = 320;
const center = size / 2;
const stroke = size * 0.115;
const gap = size * 0.012;
/** Parts of a full turn, each of one color. */
const detail = 120;
const detailWhileMoving = 20;
const millisecondsOfMove = 900;

const radiusOf = (index) => size * 0.475 - stroke / 2 - index * (stroke + gap);
const css = (color) => `rgb(${color.map(Math.round).join(",")})`;
const mixed = (from, to, share) => from.map((value, index) => value + (to[index] - value) * share);
const text = (value) => String(Math.round(value * 1000) / 1000);

/** The point of a ring after a number of turns from the top. */
function position(turns, radius) {
  const angle = turns * 2 * Math.PI - Math.PI / 2;
  return [center + radius * Math.cos(angle), center + radius * Math.sin(angle)];
}

/** What a screen reader says, in the words of HealthKitUI. */
export function ringsLabel(shares = {}) {
  const describe = ({ name, label }) =>
    shares[name] === undefined
      ? localized("{ring} not set", { ring: label })
      : `${label} ${Math.round(shares[name] * 100)} %`;
  return rings.map(describe).join(", ");
}

// The parts of a large ring

function track({ color }, radius) {
  return svg("circle.track", {
    cx: center,
    cy: center,
    r: text(radius),
    fill: "none",
    stroke: css(color),
    "stroke-opacity": 0.2,
    "stroke-width": text(stroke),
  });
}

function cap(color, turns, radius, className) {
  const [x, y] = position(turns, radius);
  return svg("circle", { class: className, cx: text(x), cy: text(y), r: text(stroke / 2), fill: css(color) });
}

/** The shadow that the head of a full ring casts on its own beginning. */
function headShadow(share, radius, identifier) {
  const [x, y] = position(share + (stroke * 0.16) / (2 * Math.PI * radius), radius);
  return svg("circle", { cx: text(x), cy: text(y), r: text(stroke * 0.56), fill: `url(#${identifier})` });
}

function arcs(ring, share, radius, partsPerTurn) {
  // Of a ring that went around more than once, the last turn covers the ones before.
  const first = Math.max(0, share - 1);
  const count = share > first ? Math.max(1, Math.ceil((share - first) * partsPerTurn)) : 0;
  const point = (turns) => position(turns, radius).map(text).join(" ");
  return Array.from({ length: count }, (_, part) => {
    const from = first + ((share - first) * part) / count;
    // Arcs overlap slightly so that no seams are visible.
    const to = Math.min(share, first + ((share - first) * (part + 1.35)) / count);
    return svg("path", {
      d: `M${point(from)} A${text(radius)} ${text(radius)} 0 0 1 ${point(to)}`,
      fill: "none",
      stroke: css(mixed(ring.start, ring.color, part / Math.max(1, count - 1))),
      "stroke-width": text(stroke),
    });
  });
}

function drawRing(ring, radius, share, shadow, partsPerTurn) {
  if (share === undefined) return [track(ring, radius)];
  const parts = arcs(ring, share, radius, partsPerTurn);
  if (share < 1) parts.unshift(cap(ring.start, 0, radius, "tail"));
  if (share > 1 - stroke / (2 * Math.PI * radius)) parts.push(headShadow(share, radius, shadow));
  if (share > 0) parts.push(cap(ring.color, share, radius, "head"));
  return [track(ring, radius), svg("g", { class: ring.name }, parts)];
}

let lastShadow = 0;

/**
 * Large rings. `show(shares)` draws shares of the goals (1 is a closed ring, absent is an empty one) and animates from
 * what was shown before.
 */
export class ActivityRings {
  constructor() {
    lastShadow += 1;
    this.shadow = `ring-shadow-${lastShadow}`;
    this.shown = {};
    this.frame = 0;
    const label = localized("Activity rings");
    this.element = svg("svg.rings", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label });
    this.draw({}, 1);
  }

  show(shares) {
    cancelAnimationFrame(this.frame);
    this.element.setAttribute("aria-label", ringsLabel(shares));
    const before = this.shown;
    const isUnchanged = rings.every(({ name }) => (before[name] ?? 0) === (shares[name] ?? 0));
    if (isUnchanged || matchMedia("(prefers-reduced-motion: reduce)").matches) this.draw(shares, detail);
    else this.move(before, shares, performance.now());
  }

  move(before, shares, began) {
    this.frame = requestAnimationFrame((now) => {
      const time = Math.min(1, Math.max(0, (now - began) / millisecondsOfMove));
      if (time === 1) {
        this.draw(shares, detail);
        return;
      }
      const eased = 1 - (1 - time) ** 3;
      const between = Object.entries(shares).map(([name, share]) => {
        const from = before[name] ?? 0;
        return [name, from + (share - from) * eased];
      });
      this.draw(Object.fromEntries(between), detailWhileMoving);
      this.move(before, shares, began);
    });
  }

  draw(shares, partsPerTurn) {
    this.shown = shares;
    const gradient = svg(
      "radialGradient",
      { id: this.shadow },
      svg("stop", { offset: 0.55, "stop-color": "#000", "stop-opacity": 0.55 }),
      svg("stop", { offset: 1, "stop-color": "#000", "stop-opacity": 0 }),
    );
    const drawn = rings.flatMap((ring, index) =>
      drawRing(ring, radiusOf(index), shares[ring.name], this.shadow, partsPerTurn)
    );
    this.element.replaceChildren(svg("defs", gradient), ...drawn);
  }
}

// Small rings

const smallSize = 36;

/** Rings of one color each, for weeks and months; what is beside them names them. */
export function smallRings(shares = {}) {
  const parts = rings.flatMap(({ name, color }, index) => smallRing(color, 15.5 - index * 4.6, shares[name] ?? 0));
  return svg("svg.rings", { viewBox: `0 0 ${smallSize} ${smallSize}`, "aria-hidden": "true" }, parts);
}

function smallRing(color, radius, share) {
  const middle = smallSize / 2;
  const circle = { cx: middle, cy: middle, r: radius, fill: "none", stroke: css(color), "stroke-width": 3.8 };
  const length = 2 * Math.PI * radius;
  const drawn = Math.max(0.01, length * Math.min(share, 1));
  return [
    svg("circle", { ...circle, "stroke-opacity": 0.22 }),
    share > 0 && svg("circle", {
      ...circle,
      "stroke-dasharray": `${text(drawn)} ${text(length)}`,
      "stroke-linecap": "round",
      transform: `rotate(-90 ${middle} ${middle})`,
    }),
  ];
}
