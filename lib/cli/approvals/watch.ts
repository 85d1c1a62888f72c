import type { QuestionJson } from '../../protocol/wire/question.ts';
import type { Terminal } from '../command.ts';
import { span } from './ago.ts';
import { answererOf } from './answerer.ts';
import { exits, Refusal } from './exit-code.ts';
import { followFeed } from './feed.ts';
import { whatOf } from './list.ts';
import { readQuestion, readQuestions } from './question.ts';
import type { Server } from './server.ts';
import { type Paint, paintFor, styleOfRisk } from './style.ts';
import { plainJson, shownText } from './terminal-text.ts';

/** What `watch` reports about a question. */
type Event = 'open' | 'opened' | 'settled';

/**
 * Prints the open questions, and then each one that is opened or settled, until it is interrupted. A lost connection, and
 * when the next attempt begins, are printed to the error output. Nothing is missed or repeated after it.
 *
 * @returns 0 when it was interrupted
 * @throws Refusal if the server refuses for good
 * @source H11, ADR 0044.5
 */
export async function watch(server: Server, json: boolean, terminal: Terminal): Promise<number> {
  const { print, complain, sleep, signal = new AbortController().signal } = terminal;
  const paint = paintFor(terminal);
  const open = new Set<string>();
  const say = (type: Event, question: QuestionJson, raw: unknown) => {
    const isKnown = open.has(question.id);
    if (type === 'settled') open.delete(question.id);
    else open.add(question.id);
    if (type !== 'settled' && isKnown) return;
    print(json ? plainJson({ type, question: raw }) : lineOf(type, question, paint));
  };
  /** What is open now. The feed has what was settled, unless it did not continue. */
  const readList = async (isResumed: boolean) => {
    const { questions, raw } = await readQuestions(server, 'open');
    for (const [index, question] of questions.entries()) say('open', question, raw[index]);
    if (isResumed) return;
    const still = new Set(questions.map(({ id }) => id));
    for (const id of [...open].filter((known) => !still.has(known))) {
      const { approval } = await readQuestion(server, id);
      if (approval.state !== 'open') say('settled', approval, approval);
    }
  };
  for await (const report of followFeed(server, signal, sleep)) {
    if (report.type === 'lost') {
      const why = shownText(report.why.replace(/\.$/, ''));
      complain(`Connection lost: ${why}. Trying again in ${span(report.delayMs)}.`);
    } else if (report.type === 'connected') {
      complain(report.resumed ? 'Connected again.' : `Watching ${server.api}.`);
      await readList(report.resumed).catch((error) => {
        if (!(error instanceof Refusal) || error.exit !== exits.failed) throw error;
        complain(`The list could not be read: ${shownText(error.message)}`);
      });
    } else say(report.type, report.question, report.raw);
  }
  return exits.done;
}

function lineOf(type: Event, question: QuestionJson, paint: Paint): string {
  const { id, state, risk, askedBy, answer } = question;
  const what = `${shownText(id)}  ${whatOf(question)}`;
  if (type !== 'settled') {
    const from = `${risk === undefined ? '' : `${paint(styleOfRisk(risk), risk)}, `}${shownText(askedBy.name)}`;
    return `${paint('bold', type)}  ${what}  (${from})`;
  }
  const by = answer === undefined ? '' : ` by ${shownText(answererOf(answer))}`;
  const reason = answer?.reason === undefined ? '' : `: ${shownText(answer.reason)}`;
  return `${paint(state === 'approved' ? 'green' : 'dim', state)}  ${what}${by}${reason}`;
}
