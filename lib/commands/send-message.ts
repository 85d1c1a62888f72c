import { newChatHead } from '../log/chat-head.ts';
import type { Journal } from '../log/journal.ts';
import { keyDigest, messageOfKey } from '../log/keyed-messages.ts';
import type { ChatHead } from '../log/store/index.ts';
import { foldTurn, turnWith } from '../log/turn/fold-turn.ts';
import { unreadMessage } from '../log/turn/unread-end.ts';
import {
  CountersignError,
  type EventBody,
  type MessageId,
  type Principal,
  personOf,
  type Release,
  recordPrincipal,
} from '../protocol/index.ts';
import { changeable } from '../rights/permissions.ts';
import { closeTurn } from '../run/close-turn.ts';
import { executeCleared } from '../run/drive.ts';
import type { Engine } from '../run/engine.ts';
import { type Cut, planCut } from '../run/kept-calls.ts';
import { nextAction } from '../run/next-action.ts';
import type { Run } from '../run/run.ts';
import { runStart } from '../run/run-start.ts';
import { turnMetadata } from '../run/step/turn-metadata.ts';
import { recordedCallOptions } from '../settings/call/call-options.ts';
import { gateNames } from '../settings/plugin/gates.ts';
import { detailsOf, mayEverAsk } from '../settings/tools/tool-details.ts';
import type { FlowStream } from '../views/flow-stream.ts';
import type { Streams } from '../views/streams.ts';
import type { Transcript } from '../views/transcript.ts';
import { takeAnswers } from './answer/take-answers.ts';
import { currentHead } from './expire.ts';
import type { RespondRequest } from './requests.ts';

/**
 * Accepts a new message, an edit, or a request for another answer, and opens the response.
 *
 * @returns nothing if the request must be decided again because the log has changed
 * @throws CountersignError `not-found`, `run-active`, `invalid-request`, `key-reused`
 * @throws Conflict
 * @source H1, H6, H7
 */
export async function respondToMessage(
  engine: Engine,
  streams: Streams,
  request: RespondRequest,
): Promise<FlowStream | undefined> {
  const { chatId, principal, message, trigger } = request;
  const { settings } = engine;
  const found = await currentHead(engine, principal, chatId);
  const begins = message !== undefined && trigger === 'submit-message' && !request.mustExist;
  if (!found && !begins) await changeable(settings, principal, chatId, found);
  const head = found
    ? await changeable(settings, principal, chatId, found)
    : newChatHead(chatId, principal.id, await engine.clock.sure());
  const plan = planMessage(request, await engine.transcripts.load(head));
  if (plan.type === 'repeated') {
    // The request that was first may have become durable after the head was read.
    const current = await engine.store.chats.head(chatId);
    return current && streamRepeated(engine, streams, current, principal, plan);
  }
  await assertOwnKey(engine, request);
  if (head.status === 'active') {
    throw new CountersignError('run-active', `Chat ${chatId} is still answering. Wait for it, or stop it.`, {
      chatId,
    });
  }
  const callOptions = await recordedCallOptions(settings, request.callOptions);
  const journal = await engine.openJournal(head);
  const changed = plan.cut === undefined ? unreadMessage(journal.turn) : undefined;
  // Read before the open turn is closed: its end and what begins now share an append.
  const log = plan.cut === undefined ? [] : await engine.store.events.read(chatId, 0);
  if (head.status === 'waiting' && !(await closeOpenTurn(engine, journal, request))) return undefined;

  const runId = engine.ids.run();
  const turnSeq = journal.nextSeq;
  const isIdempotent = (toolName: string) => detailsOf(settings, toolName).idempotent === true;
  const cut = plan.cut === undefined ? undefined : planCut(plan.cut, log, journal.turn, isIdempotent);
  const received = plan.receives && message ? { ...message, by: personOf(principal) } : repeated(cut);
  const opening: EventBody[] = [
    ...(cut ? [{ type: 'history-cut' as const, messageId: cut.messageId, kept: cut.kept }] : []),
    ...(received
      ? [
          {
            type: 'message-received' as const,
            messageId: received.id,
            parts: received.parts,
            metadata: received.metadata,
            key: plan.receives && request.key !== undefined ? keyDigest(request.key) : undefined,
            by: received.by,
          },
        ]
      : []),
  ];
  const start: EventBody = {
    type: 'run-started',
    messageId: engine.ids.message(),
    release: releaseOf(engine),
    by: personOf(principal),
    asker: recordPrincipal(principal, engine.clock.now()),
    options: request.options,
    callOptions,
    kept: cut?.carried ? cut.carried : undefined,
    gates: gateNames(settings),
    ...turnMetadata(engine, { type: 'start' }),
  };
  await engine.begin(journal, { runId, principal }, ...opening, start);
  return streams.response({ ...head, turnSeq }, principal, {
    runId,
    emitFrom: turnSeq,
    until: request.until,
    upTo: journal.head.seq,
    changed,
  });
}

/** If another request with the key appends first in the same chat, the append after this check conflicts, and the check is repeated. */
async function assertOwnKey(
  { store }: Engine,
  { principal, chatId, message, key }: RespondRequest,
): Promise<void> {
  const used = key === undefined ? undefined : await messageOfKey(store, principal.id, key);
  if (used && (used.chatId !== chatId || used.messageId !== message?.id)) throw keyReused(key);
}

function keyReused(key: string | undefined): CountersignError {
  return new CountersignError('key-reused', 'This key was used for another message. Use a new one.', { key });
}

function repeated(cut: Cut | undefined) {
  if (!cut?.repeats) return undefined;
  const { messageId: id, parts, metadata, by } = cut.repeats;
  return { id, parts, by, metadata };
}

export function releaseOf({ settings }: Pick<Engine, 'settings'>): Release {
  return mayEverAsk(settings) ? (settings.release ?? 'final') : 'progressive';
}

/** Replays the turn of a message that was sent before. Nothing starts twice. */
async function streamRepeated(
  engine: Engine,
  streams: Streams,
  head: ChatHead,
  principal: Principal,
  { messageId, answer }: Repetition,
): Promise<FlowStream> {
  const events = await engine.store.events.read(head.id, 0);
  const received = events.findLastIndex(
    (event) => event.type === 'message-received' && event.messageId === messageId,
  );
  // An imported message was not received here. Its answer may be.
  const answered = events.findIndex((event) => event.type === 'run-started' && event.messageId === answer);
  const place = received === -1 ? answered : received;
  if (place === -1) {
    const text = `Message ${messageId} was imported with its answer. Reload the chat.`;
    throw new CountersignError('invalid-request', text, { chatId: head.id, messageId });
  }
  const run = events.slice(place).find((event) => event.type === 'run-started');
  const turn = { ...head, turnSeq: events[place]?.seq ?? head.turnSeq, runId: run?.runId ?? head.runId };
  const changed = unreadMessage(foldTurn(events.slice(0, place)));
  return streams.replay(turn, principal, { emitFrom: 0, changed });
}

type Repetition = { readonly type: 'repeated'; readonly messageId: MessageId; readonly answer: MessageId };

type MessagePlan =
  | Repetition
  | { readonly type: 'turn'; readonly cut?: MessageId; readonly receives: boolean };

/**
 * Decides what a request is. Pages edit by `messageId`, or by changing the message in their list.
 *
 * @throws CountersignError `not-found`, `key-reused`
 * @source H7
 */
function planMessage(request: RespondRequest, transcript: Transcript): MessagePlan {
  const { message, messageId, trigger, chatId } = request;
  const known = message !== undefined && transcript.hasMessage(message.id);
  if (message && !known) return { type: 'turn', receives: true };

  const isChanged = message !== undefined && transcript.hasOtherContent(message.id, message.parts);
  if (isChanged && request.key !== undefined) throw keyReused(request.key);
  const isEdit = isChanged || (trigger === 'submit-message' && messageId === message?.id);
  if (message && isEdit) return { type: 'turn', cut: message.id, receives: true };

  if (trigger === 'submit-message' && message) {
    // An imported message may have no answer yet.
    const answer = transcript.answerTo(message.id);
    if (answer === undefined) return { type: 'turn', receives: false };
    return { type: 'repeated', messageId: message.id, answer };
  }
  const asked = message?.id ?? transcript.userMessageFor(messageId);
  if (asked === undefined) {
    throw new CountersignError('not-found', `There is no message to regenerate in chat ${chatId}.`, {
      chatId,
    });
  }
  const answer = transcript.answerTo(asked);
  return answer === undefined
    ? { type: 'turn', receives: false }
    : { type: 'turn', cut: answer, receives: false };
}

/** Settles a waiting turn before a new one begins (T16). @returns false if calls had to run first: read the log again */
async function closeOpenTurn(engine: Engine, journal: Journal, request: RespondRequest): Promise<boolean> {
  const { principal } = request;
  const taken = await takeAnswers(engine, journal, request);
  const answered = 'run' in taken ? taken : undefined;
  const runId = engine.ids.run();
  const events = [runStart(journal, principal), ...(answered?.events ?? [])];
  journal.keep(answered?.records ?? []);
  if (nextAction(turnWith(journal.turn, events)).type === 'execute') {
    const task = async (run: Run) => {
      await executeCleared(run);
      await journal.commit(runId, ...superseded(journal));
    };
    const run = { runId, principal, task, settings: answered?.run.settings };
    const { done } = await engine.begin(journal, run, ...events);
    await done;
    return false;
  }
  // Not awaited: these events share the append of the turn that begins now.
  void journal.commit(runId, ...events).catch(() => {});
  void journal.commit(runId, ...superseded(journal)).catch(() => {});
  return true;
}

function superseded(journal: Journal): EventBody[] {
  return [...closeTurn(journal.turn, 'superseded'), { type: 'run-cancelled', reason: 'superseded' }];
}
