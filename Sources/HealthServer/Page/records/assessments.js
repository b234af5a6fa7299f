// Questionnaires about anxiety (GAD-7) and depression (PHQ-9), with the bounds that their authors published.

import { number } from "../app/format.js";
import { localized } from "../app/language.js";
import { shortName } from "../app/types.js";
import { figures } from "../components/cards.js";
import { table } from "../components/value-table.js";
import { timeline } from "./timeline.js";

const answers = ["Not at all", "Several days", "More than half the days", "Nearly every day", "Prefer not to answer"];

/** Spitzer et al. 2006 and Kroenke et al. 2001: from which score on a level is meant. */
const questionnaires = {
  gAD7: {
    name: "GAD-7",
    most: 21,
    levels: [[15, "Severe"], [10, "Moderate"], [5, "Mild"], [0, "None to minimal"]],
    questions: [
      "Feeling nervous, anxious, or on edge",
      "Not being able to stop or control worrying",
      "Worrying too much about different things",
      "Trouble relaxing",
      "Being so restless that it is hard to sit still",
      "Becoming easily annoyed or irritable",
      "Feeling afraid, as if something awful might happen",
    ],
  },
  pHQ9: {
    name: "PHQ-9",
    most: 27,
    levels: [[20, "Severe"], [15, "Moderately severe"], [10, "Moderate"], [5, "Mild"], [0, "None to minimal"]],
    questions: [
      "Little interest or pleasure in doing things",
      "Feeling down, depressed, or hopeless",
      "Trouble falling or staying asleep, or sleeping too much",
      "Feeling tired or having little energy",
      "Poor appetite or overeating",
      "Feeling bad about yourself",
      "Trouble concentrating on things",
      "Moving or speaking slowly, or being restless",
      "Thoughts of being better off dead, or of hurting yourself",
    ],
  },
};

const of = ({ type }) => questionnaires[shortName(type)];
const level = (sample) => localized(of(sample).levels.find(([least]) => (sample.fields?.score ?? 0) >= least)[1]);

export function row(sample) {
  const { name, most } = of(sample);
  const score = sample.fields?.score;
  return { title: `${name}: ${level(sample)}`, value: score === undefined ? "–" : `${number(score)}/${most}` };
}

export function details(sample) {
  const { questions, most } = of(sample);
  const { score, answers: given = [] } = sample.fields ?? {};
  return [
    figures([
      [localized("Score"), localized("{score} of {most}", { score: number(score), most: number(most) })],
      [localized("Level"), level(sample)],
    ], "worded"),
    table(
      localized("Answers"),
      [localized("In the last two weeks"), localized("Answer")],
      given.map((answer, index) => [
        localized(questions[index] ?? "Question"),
        localized(answers[answer] ?? "–"),
      ]),
    ),
  ];
}

/** The scores over time. */
export function overview(identifier, _context, signal) {
  const { name, most } = of({ type: identifier });
  return timeline(localized("Score over time"), identifier, signal, {
    note: localized("{name} has scores from 0 to {most}.", { name, most: number(most) }),
    sets: [{ name, kind: "line", of: ({ score }) => score }],
    format: (score) => number(score),
    axis: (values) => values.map((value) => number(value)),
  });
}
