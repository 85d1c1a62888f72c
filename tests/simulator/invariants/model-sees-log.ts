import { isDeepStrictEqual } from 'node:util';
import type { History, Prompted, Written } from '../history.ts';
import { type Invariant, tally } from './invariant.ts';

type ResultPart = { readonly type: string; readonly toolCallId: string; readonly output: unknown };

/** Each result in a prompt is in the log, and each call that had its effect before the run is in the prompt. */
export const modelSeesLog: Invariant = {
  name: 'the model sees what the log holds',
  check(history) {
    const { verify, result } = tally();
    for (const prompted of history.prompts) {
      const { chatId, prompt, instance, moment } = prompted;
      if (history.isGone(chatId, moment) || history.killed.has(instance)) continue;
      const log = history.logOf(chatId);
      const said = texts(log);
      const invented = userTexts(prompted).find((text) => !said.has(text));
      const results = prompt.flatMap(({ role, content }) =>
        role === 'tool' ? (content as ResultPart[]) : [],
      );
      const wrong = results.find(
        (part) => part.type === 'tool-result' && !isInLog(log, part) && continues(log, prompted),
      );
      const forgotten = forgottenCall(history, log, prompted);
      verify(
        invented !== undefined &&
          `${instance} gave the model of ${chatId} ${invented}, which is not in the log`,
        wrong &&
          `${instance} gave the model ${JSON.stringify(wrong.output)} as the result of ${chatId}/${wrong.toolCallId}, which is not in the log`,
        forgotten !== undefined && `${instance} left out of the prompt of ${chatId} that ${forgotten} ran`,
      );
    }
    return result();
  },
};

function texts(log: readonly Written[]): Set<string> {
  return new Set(
    log.flatMap(({ event }) =>
      event.type === 'message-received'
        ? event.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
        : [],
    ),
  );
}

function userTexts({ prompt }: Prompted): string[] {
  return prompt.flatMap(({ role, content }) =>
    role === 'user' ? content.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  );
}

/** All ids of one call: a call that is asked about again gets another id. */
function sameCall(log: readonly Written[], toolCallId: string): Set<string> {
  const ids = new Set([toolCallId]);
  for (let size = 0; size !== ids.size; ) {
    size = ids.size;
    for (const { event } of log) {
      if (event.type !== 'tool-requested' || event.replaces === undefined) continue;
      if (ids.has(event.toolCallId) || ids.has(event.replaces)) ids.add(event.toolCallId).add(event.replaces);
    }
  }
  return ids;
}

function isInLog(log: readonly Written[], { toolCallId, output }: ResultPart): boolean {
  const ids = sameCall(log, toolCallId);
  return log.some(
    ({ event }) =>
      'modelOutput' in event &&
      ids.has(event.toolCallId) &&
      (isDeepStrictEqual(plain(event.modelOutput), plain(output)) ||
        // The model receives a denial in words.
        (event.type === 'tool-denied' && (output as { type: string }).type === 'execution-denied')),
  );
}

/** The step that the prompt led to became durable, so everything in the prompt must be durable too. */
function continues(log: readonly Written[], { moment, instance }: Prompted): boolean {
  const next = log.find((written) => written.moment > moment && written.by === instance);
  return next?.event.type === 'step-started' || next?.event.type === 'step-finished';
}

function forgottenCall(history: History, log: readonly Written[], { chatId, prompt, moment }: Prompted) {
  const { executions, erased } = history;
  const run = log.findLast(({ event, moment: at }) => event.type === 'run-started' && at < moment);
  const called = new Set(
    prompt.flatMap(({ role, content }) =>
      role === 'assistant'
        ? content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
        : [],
    ),
  );
  const begun = erased.findLast((each) => each.chatId === chatId && each.moment < moment)?.moment ?? 0;
  const ran = executions.filter(
    (each) =>
      each.chatId === chatId &&
      each.moment > begun &&
      !history.ranAfterErasure(each) &&
      (each.effectAt ?? Infinity) < (run?.moment ?? 0),
  );
  return ran.find(({ toolCallId }) => ![...sameCall(log, toolCallId)].some((id) => called.has(id)))
    ?.toolCallId;
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
