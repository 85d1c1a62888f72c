import { isToolUIPart, type UIMessage } from 'ai';
import type { KillPoint } from 'countersign/testing';
import { expect } from 'vitest';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { parseApprovalId, parseChatId } from '../../../lib/protocol/index.ts';
import { effectsIn } from './effects.ts';
import { type ClientMode, type PersistentClient, persistentClient } from './persistent-client.ts';
import { callsOf, lastWord, type ScriptedTurn, type Told } from './scripted-turns.ts';
import type { ServerProcess } from './server-process.ts';

/** The parameters of one round. */
export type CrashRound = {
  /** Dies at the kill point. */
  readonly server: ServerProcess;
  /** Starts the server that takes over, after a lease has ended. */
  readonly startNext: () => Promise<ServerProcess>;
  /** The file in which tools record their effects. */
  readonly effects: string;
  /** The database as seen from outside, to inspect the state at the crash. */
  readonly store: FlowStore;
  readonly mode: ClientMode;
  readonly turn: ScriptedTurn;
  readonly point: KillPoint & { readonly chatId: string };
};

/**
 * Plays one turn on a server that dies at the kill point, and continues it on another one, with a client that
 * reconnects. Then compares the result with what was acknowledged, what ran, and what the log contained at the crash.
 *
 * @returns the server that took over; none if the first one survived, because a turn has a limited number of appends
 */
export async function crashRound(round: CrashRound): Promise<ServerProcess | undefined> {
  const { server, startNext, store, mode, turn, point } = round;
  const chatId = parseChatId(point.chatId);
  const client = persistentClient(mode, chatId);
  const answers = new Map<string, boolean>();

  client.moveTo(server.url);
  await client.say(turn.says);
  await playOn(client, turn, answers);
  // The client's failure is not sufficient: a turn may appear to end shortly before its server dies.
  if (await client.reaches()) {
    if (client.failure) throw new Error(`A request failed: ${server.output()}`, { cause: client.failure });
    await expectWellEnded(round, client, []);
    return undefined;
  }
  const { signal } = await server.exited;
  expect(signal).toBe('SIGKILL');
  const running = await startedWithoutEnd(store, chatId);
  const acknowledged = new Set(client.acknowledged);
  const next = await startNext();
  client.moveTo(next.url);
  await expectNothingLost(store, client, answers, acknowledged);
  await client.reconnect();
  await playOn(client, turn, answers);
  await expectWellEnded(round, client, running);
  return next;
}

/** Answers questions until the turn or the connection ends. */
async function playOn(
  client: PersistentClient,
  turn: ScriptedTurn,
  answers: Map<string, boolean>,
): Promise<void> {
  while (!client.failure && client.question !== undefined) {
    const { approve } = turnCall(turn, client.chat.messages, client.question);
    answers.set(client.question, approve);
    await client.answer(client.question, approve);
  }
}

function turnCall(turn: ScriptedTurn, messages: readonly UIMessage[], question: string) {
  const parts = messages.at(-1)?.parts.filter(isToolUIPart) ?? [];
  const part = parts.find((candidate) => candidate.approval?.id === question);
  const call = callsOf(turn).find(({ to }) => part?.toolCallId === `call-${to}`);
  if (!call) throw new Error(`Unexpected question about ${part?.toolCallId}.`);
  return call;
}

/** The calls that were running when the log was last written. */
async function startedWithoutEnd(
  store: FlowStore,
  chatId: ReturnType<typeof parseChatId>,
): Promise<string[]> {
  const events = await store.events.read(chatId, 0);
  const ended = new Set(
    events.flatMap((event) => (isEnd(event.type) && 'toolCallId' in event ? event.toolCallId : [])),
  );
  return events.flatMap((event) =>
    event.type === 'tool-started' && !ended.has(event.toolCallId) ? event.toolCallId : [],
  );
}

function isEnd(type: string): boolean {
  return ['tool-completed', 'tool-failed', 'tool-denied', 'tool-cancelled'].includes(type);
}

/** What was acknowledged to the client is there, before the client sends it again. */
async function expectNothingLost(
  store: FlowStore,
  client: PersistentClient,
  answers: ReadonlyMap<string, boolean>,
  acknowledged: ReadonlySet<string>,
): Promise<void> {
  const stored = await client.stored();
  for (const { id, role } of client.chat.messages) {
    if (role === 'user' && acknowledged.has(id))
      expect(stored?.messages.map((message) => message.id)).toContain(id);
  }
  for (const [id, approved] of answers) {
    if (!acknowledged.has(id)) continue;
    const question = await store.questions.read(parseApprovalId(id));
    expect(question).toMatchObject({ state: approved ? 'approved' : 'denied', answer: { approved } });
  }
}

async function expectWellEnded(
  { effects, store, turn, point }: CrashRound,
  client: PersistentClient,
  running: readonly string[],
): Promise<void> {
  expect(client.failure).toBeUndefined();
  const stored = await client.stored();
  expect(stored?.run.status).toBe('idle');
  expect(stored?.open).toBeUndefined();
  expect(stored?.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);

  const message = stored?.messages.at(-1);
  const parts = message?.parts.filter(isToolUIPart) ?? [];
  expect(parts.map(({ toolCallId }) => toolCallId)).toEqual(callsOf(turn).map(({ to }) => `call-${to}`));
  const told = parts.flatMap(toldOf);
  // Exactly the calls that were running at the crash are unknown, besides those that are unknown by design.
  const unknown = callsOf(turn).filter(({ to, resets }) => resets || running.includes(`call-${to}`));
  expect(callsOf(turn).filter((_, index) => told[index] === 'unknown')).toEqual(unknown);
  expect(told).not.toContain('failed');

  const ran = effectsIn(effects, point.chatId).map(({ toolCallId }) => toolCallId);
  expect(new Set(ran).size).toBe(ran.length);
  for (const [index, { to }] of callsOf(turn).entries()) {
    if (told[index] === 'done') expect(ran).toContain(`call-${to}`);
    if (told[index] === 'denied') expect(ran).not.toContain(`call-${to}`);
  }
  const text = message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  expect(text).toContain(lastWord(told));
  const ends = (await store.events.read(parseChatId(point.chatId), 0)).filter(
    ({ type }) => type === 'run-completed',
  );
  expect(ends).toHaveLength(1);
  expect(shownBy(client.chat.messages.at(-1))).toEqual(shownBy(message));
}

/** What a user sees of a message: its texts, and the state of its calls. */
function shownBy(message: UIMessage | undefined): unknown[] {
  return (message?.parts ?? []).flatMap((part): unknown[] => {
    if (part.type === 'text') return [{ text: part.text }];
    if (!isToolUIPart(part)) return [];
    const { toolCallId, state, approval } = part;
    return [{ toolCallId, state, approved: approval?.approved }];
  });
}

function toldOf(part: UIMessage['parts'][number]): Told[] {
  if (!isToolUIPart(part)) return [];
  if (part.state === 'output-available') return ['done'];
  if (part.state === 'output-denied') return ['denied'];
  if (part.state !== 'output-error') return [];
  return [part.errorText.startsWith('outcome-unknown:') ? 'unknown' : 'failed'];
}
