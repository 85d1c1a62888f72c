import type { Wording } from '../../protocol/approval/question-lines.ts';
import type { AnswerJson, QuestionJson } from '../../protocol/wire/question.ts';
import { when } from './ago.ts';
import { effectLines } from './effect.ts';
import { pluginLines } from './plugin-lines.ts';
import { type Details, shownDigest } from './question.ts';
import { type Paint, styleOfRisk } from './style.ts';
import { shownJson, shownLines, shownText } from './terminal-text.ts';

/**
 * All facts of a question, in lines: what a person needs to decide. Every text of others is made harmless.
 *
 * @param now epoch milliseconds
 * @source S4, S8, ADR 0044.1
 */
export function cardLines(
  { approval, history, context, outcome }: Details,
  paint: Paint,
  now: number,
): string[] {
  const { id, state, description, title, toolName, askedBy, requestedAt, deadline, position } = approval;
  const place = position?.of !== undefined && position.of > 1 ? `, ${position.index} of ${position.of}` : '';
  return [
    paint('bold', shownText(description)),
    row('question', `${shownText(id)} (${state}${place})`),
    row('tool', title === undefined ? shownText(toolName) : `${shownText(title)} (${shownText(toolName)})`),
    ...riskLines(approval, paint),
    row('asked by', personText(askedBy)),
    row('waiting since', when(shownText(requestedAt), now)),
    ...(deadline === undefined ? [] : [row('deadline', when(shownText(deadline), now))]),
    ...pluginLines.flatMap((lines) => lines(approval, wording)),
    row('may answer', mayAnswerText(approval)),
    ...answersLines(approval),
    ...warnings(approval, paint),
    'Arguments:',
    ...shownJson(approval.input),
    ...(approval.runsAs === undefined ? [] : ['The tool will receive:', ...shownJson(approval.runsAs)]),
    ...optionLines(approval),
    ...effectLines(approval.preview, now),
    ...evidenceLines(approval, now),
    ...(context?.message === undefined ? [] : ['The asker wrote:', ...shownLines(context.message)]),
    ...(context?.said === undefined ? [] : ['The model wrote:', ...shownLines(context.said)]),
    ...answerLines(approval, outcome),
    'History:',
    ...history.map(({ state: reached, at, by, via }) => {
      const how = [at && shownText(at), by && `by ${personText(by)}`, via && `via ${shownText(via)}`];
      return `  ${shownText(reached)} ${how.filter(Boolean).join(', ')}`;
    }),
    row('shown digest', shownText(shownDigest(approval))),
  ];
}

const wording: Wording = {
  person: (person) => personText(person),
  answerer: (answer) => answererText(answer),
  moment: shownText,
  text: shownText,
};

function row(name: string, text: string): string {
  return `${name}:`.padEnd(15) + text;
}

function personText({ id, name }: { readonly id: string; readonly name: string }): string {
  return `${shownText(name)} (${shownText(id)})`;
}

function answererText({ by, onBehalfOf }: Pick<AnswerJson, 'by' | 'onBehalfOf'>): string {
  return onBehalfOf ? `${personText(by)} for ${personText(onBehalfOf)}` : personText(by);
}

function riskLines({ risk, riskReason }: QuestionJson, paint: Paint): string[] {
  if (risk === undefined) return [];
  const reason = riskReason === undefined ? '' : `: ${shownText(riskReason)}`;
  return [row('risk', paint(styleOfRisk(risk), risk) + reason)];
}

/** What people have answered before the answer that settles the question, or has settled it. */
function answersLines({ answers = [] }: QuestionJson): string[] {
  return answers.flatMap((given) => [
    row('answered', `${answererText(given)} ${given.approved ? 'approved' : 'denied'}`),
    ...(given.reason === undefined ? [] : [`Reason of ${answererText(given)}:`, ...shownLines(given.reason)]),
  ]);
}

function mayAnswerText(question: QuestionJson): string {
  const { state, mayAnswer, onBehalfOf, whoMayAnswer, stepUp, hasAnswered } = question;
  if (state !== 'open') return 'nobody: it is decided';
  if (hasAnswered) return 'others: you have answered';
  if (!mayAnswer) return whoMayAnswer === undefined ? 'another person' : shownText(whoMayAnswer);
  const you = onBehalfOf ? `you, for ${personText(onBehalfOf)}` : 'you';
  return stepUp?.needed ? `${you}, after signing in again in the app` : you;
}

function warnings({ paused, outdated, needsInput, needsValue }: QuestionJson, paint: Paint): string[] {
  return [
    ...(paused ? [`Paused, so it can only be denied: ${shownText(paused.reason)}`] : []),
    ...(outdated ? ['The tool has changed since: an approval asks again.'] : []),
    ...(needsInput ? ['An approval needs values: use --edit.'] : []),
    ...(needsValue ? ['An approval needs an answer: use --value or --edit.'] : []),
  ].map((line) => paint('yellow', line));
}

/** The options, and what those with arguments of their own would run. */
function optionLines({ options = [], state }: QuestionJson): string[] {
  if (state !== 'open' || options.length === 0) return [];
  const lines = options.flatMap(({ id, label, then, description = '', input, runsAs }) => [
    `  --option ${shownText(id)}: ${shownText(label)} (${then})`,
    ...(input === undefined ? [] : [`    ${shownText(description)}`, ...shownJson(runsAs ?? input)]),
  ]);
  return ['Options:', ...lines];
}

function evidenceLines({ history, repeatOf, earlier = [] }: QuestionJson, now: number): string[] {
  const lines: string[] = [];
  if (history) {
    const { subject, count, lastAt, denied } = history;
    const last = lastAt === undefined ? '' : `, the last one ${when(lastAt, now)}`;
    lines.push(`Earlier calls about ${shownText(subject)}: ${count}${count >= 100 ? ' or more' : ''}${last}`);
    if (denied) lines.push(`Last denied ${when(denied.at, now)} by ${personText(denied.by)}`);
  }
  if (repeatOf) lines.push(`The same call is ${repeatOf.outcome} since ${when(repeatOf.at, now)}`);
  for (const { title, toolName, outcome, error } of earlier) {
    const why = error === undefined ? '' : `: ${shownText(error)}`;
    lines.push(`Before, ${shownText(title ?? toolName)} ended as ${outcome}${why}`);
  }
  return lines;
}

function answerLines({ answer }: QuestionJson, outcome: string | undefined): string[] {
  if (!answer) return [];
  const { approved, at, via, reason, option, value, input } = answer;
  return [
    `${approved ? 'Approved' : 'Denied'} by ${answererText(answer)}, ${shownText(at)}, via ${shownText(via)}`,
    ...(reason === undefined ? [] : ['Reason:', ...shownLines(reason)]),
    ...(option === undefined ? [] : [`Option: ${shownText(option.label)} (${shownText(option.id)})`]),
    ...(value === undefined ? [] : ['Answered with:', ...shownJson(value)]),
    ...(input === undefined ? [] : ['Approved with other arguments:', ...shownJson(input)]),
    ...(outcome === undefined ? [] : [`Outcome of the call: ${shownText(outcome)}`]),
  ];
}
