import type { QuestionJson } from '../protocol/wire/question.ts';
import { answer, type Said } from './approvals/answer.ts';
import { cardLines } from './approvals/card.ts';
import { exits, Refusal } from './approvals/exit-code.ts';
import { tableOf } from './approvals/list.ts';
import { type ApprovalsOptions, parseApprovalsOptions } from './approvals/options.ts';
import { readQuestion, readQuestions, shownDigest } from './approvals/question.ts';
import { type Server, serverFrom } from './approvals/server.ts';
import { paintFor } from './approvals/style.ts';
import { plainJson, shownText } from './approvals/terminal-text.ts';
import { watch } from './approvals/watch.ts';
import type { Command, Terminal } from './command.ts';

/**
 * Reads and answers questions of a running server over its HTTP API.
 *
 * @returns 0 done, 1 refused or failed, 3 no such question, 4 already decided, 5 changed, 6 not allowed
 * @throws UsageError
 * @source H9-H11, ADR 0044
 */
export const approvalsCommand: Command = async (args, terminal) => {
  const options = parseApprovalsOptions(args);
  const server = serverFrom(options, terminal);
  try {
    return await actions[options.action](server, options, terminal);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (options.json) terminal.print(plainJson({ error: error.fields }));
    terminal.complain(shownText(error.message));
    for (const line of fieldErrorLines(error)) terminal.complain(line);
    if (error.advice !== undefined) terminal.complain(error.advice);
    return error.exit;
  }
};

type Action = (server: Server, options: ApprovalsOptions, terminal: Terminal) => Promise<number>;

const actions = {
  async list(server, { state = 'open', json }, terminal) {
    const { questions, raw, isCut } = await readQuestions(server, state);
    if (json) terminal.print(plainJson({ approvals: raw, complete: !isCut }));
    else if (questions.length === 0) terminal.print(state === 'open' ? 'Nothing is waiting.' : 'None.');
    else for (const line of tableOf(questions, paintFor(terminal), Date.now())) terminal.print(line);
    if (isCut) terminal.complain('There are more questions than these.');
    return exits.done;
  },

  async show(server, { id, json }, terminal) {
    const details = await readQuestion(server, id);
    if (json) terminal.print(plainJson({ ...details, shownDigest: shownDigest(details.approval) }));
    else for (const line of cardLines(details, paintFor(terminal), Date.now())) terminal.print(line);
    return exits.done;
  },

  approve: (server, options, terminal) =>
    decide(server, { ...options, approved: true }, options.json, terminal),
  deny: (server, options, terminal) =>
    decide(server, { ...options, approved: false }, options.json, terminal),
  watch: (server, { json }, terminal) => watch(server, json, terminal),
} satisfies Record<ApprovalsOptions['action'], Action>;

async function decide(server: Server, said: Said, json: boolean, terminal: Terminal): Promise<number> {
  // With --json, the output has only the object.
  const answered = await answer(server, said, terminal, json ? terminal.complain : terminal.print);
  terminal.print(json ? plainJson(answered) : resultOf(answered.approval));
  return exits.done;
}

function resultOf({ id, state }: QuestionJson): string {
  if (state === 'open')
    return `Your answer is recorded. Question ${shownText(id)} is open: it waits for others.`;
  return `Question ${shownText(id)} is ${state}.`;
}

function fieldErrorLines({ fields: { fieldErrors } }: Refusal): string[] {
  return Array.isArray(fieldErrors) ? fieldErrors.map((fieldError) => `  ${plainJson(fieldError)}`) : [];
}
