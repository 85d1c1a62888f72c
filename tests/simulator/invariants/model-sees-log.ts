import { isDeepStrictEqual } from 'node:util';
import type { EventOf, FlowEvent, ModelOutput } from '../../../lib/protocol/index.ts';
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
      event.type === 'message-received' ||
      (event.type === 'message-imported' && event.message.role === 'user')
        ? partsOf(event).flatMap((part) => (part.type === 'text' ? [part.text] : []))
        : [],
    ),
  );
}

function partsOf(event: EventOf<'message-received' | 'message-imported'>) {
  return event.type === 'message-received' ? event.parts : event.message.parts;
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

/** The call of the chat's own model under which a call was made. */
function rootCallOf(log: readonly Written[], toolCallId: string): string {
  const parent = log.flatMap(({ event }) =>
    event.type === 'tool-requested' && event.toolCallId === toolCallId ? (event.parent ?? []) : [],
  )[0];
  return parent === undefined ? toolCallId : rootCallOf(log, parent);
}

function isInLog(log: readonly Written[], { toolCallId, output }: ResultPart): boolean {
  const ids = sameCall(log, toolCallId);
  return log.some(
    ({ event }) =>
      isInMessages(event, toolCallId, output) ||
      ('modelOutput' in event &&
        ids.has(event.toolCallId) &&
        (isDeepStrictEqual(plain(event.modelOutput), plain(output)) ||
          isWithApproval(log, ids, event.modelOutput, output) ||
          // The model receives a denial in words.
          (event.type === 'tool-denied' && (output as { type: string }).type === 'execution-denied'))),
  );
}

/** Results that another app had stored, and ends of calls that are not asked about again, have no event of their own. */
function isInMessages(event: FlowEvent, toolCallId: string, output: unknown): boolean {
  const results = messagesOf(event).flatMap(({ role, content }) =>
    role === 'tool' ? (content as ResultPart[]) : [],
  );
  return results.some(
    (part) => part.toolCallId === toolCallId && isDeepStrictEqual(plain(part.output), plain(output)),
  );
}

function messagesOf(event: FlowEvent) {
  if (event.type === 'message-imported') return event.modelMessages;
  return event.type === 'step-finished' ? event.messages : [];
}

/** What the person said with the approval precedes a result, and follows a failure. @source ADR 0002.11 */
function isWithApproval(log: readonly Written[], ids: Set<string>, own: ModelOutput, read: unknown): boolean {
  return log.some(({ event }) => {
    if (event.type !== 'approval-answered' || !ids.has(event.toolCallId) || !event.approved) return false;
    const input = event.input ?? editedInput(log, event.toolCallId);
    const said = [
      `This call was approved${event.reason === undefined ? '.' : `: ${event.reason}`}`,
      ...(input === undefined ? [] : [`The arguments were edited to: ${JSON.stringify(input)}`]),
    ].join('\n');
    const result = own.type === 'text' ? own.value : JSON.stringify('value' in own && own.value);
    const expected =
      own.type === 'error-text'
        ? { type: 'error-text', value: `${own.value}\n\n${said}` }
        : { type: 'text', value: [said, result].filter((text) => text !== '').join('\n\n') };
    return isDeepStrictEqual(expected, plain(read));
  });
}

/** The step that the prompt led to became durable, so everything in the prompt must be durable too. */
function continues(log: readonly Written[], { moment, instance, step }: Prompted): boolean {
  const later = log.filter((written) => written.moment > moment);
  const end = later.findIndex(({ event }) => event.type === 'run-started');
  return later
    .slice(0, end === -1 ? undefined : end)
    .some(({ event, by }) => by === instance && 'step' in event && event.step === step);
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
  return ran.find(
    ({ toolCallId }) => ![...sameCall(log, rootCallOf(log, toolCallId))].some((id) => called.has(id)),
  )?.toolCallId;
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The arguments of a call that somebody changed before another person approved it. @source ADR 0047 */
function editedInput(log: readonly Written[], toolCallId: string): unknown {
  const asked = log.find(({ event }) => event.type === 'tool-requested' && event.toolCallId === toolCallId);
  return asked?.event.type === 'tool-requested' && asked.event.editedBy ? asked.event.input : undefined;
}
