import { releaseOf } from '../../commands/send-message.ts';
import { isTransient } from '../../log/backoff.ts';
import type { Journal } from '../../log/journal.ts';
import type { ChatHead } from '../../log/store/index.ts';
import { turnWith } from '../../log/turn/fold-turn.ts';
import {
  CountersignError,
  type EventBody,
  personOf,
  type RunId,
  recordPrincipal,
} from '../../protocol/index.ts';
import type { Engine, TurnEngine } from '../../run/engine.ts';
import { nextAction } from '../../run/next-action.ts';
import { makePreview } from '../../run/preview/make-preview.ts';
import { type DueQuestion, questionDue } from '../../run/question/question-due.ts';
import { findRepeat } from '../../run/question/repeats.ts';
import { turnMetadata } from '../../run/step/turn-metadata.ts';
import { recordedCallOptions } from '../../settings/call/call-options.ts';
import { settingsOfTurn, type TurnRecord } from '../../settings/call/prepare-call.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { gateNames } from '../../settings/plugin/gates.ts';
import { appendMessages } from './append-messages.ts';
import { reopenMessage } from './ask-imported.ts';
import { chatImported, importMessages } from './import-messages.ts';
import type { CheckedImport, ImportResult } from './import-request.ts';

/**
 * Imports a chat that waits for approvals: its last message is followed by a turn that asks again, in the
 * same append. Remembered approvals do not apply.
 *
 * @throws CountersignError `invalid-request` if the settings of its turn cannot be prepared, or the question cannot be asked
 * @throws Conflict
 * @source ADR 0036
 */
export async function importWithQuestion(
  engine: Engine,
  head: ChatHead,
  request: CheckedImport,
): Promise<ImportResult> {
  const { principal, messages, digest } = request;
  const by = personOf(principal);
  const callOptions = await recordedCallOptions(engine.settings, request.callOptions);
  const own = await settingsFor(engine, { principal, chatId: head.id, callOptions });
  const ofTurn: TurnEngine = { ...engine, settings: own, principal, chatId: head.id };
  const earlier = await importMessages({ settings: own, by }, messages.slice(0, -1));
  const last = messages.at(-1);
  if (!last) throw new Error(`Chat ${head.id} has no message that waits.`);
  const seen = earlier.flatMap(({ modelMessages }) => modelMessages);
  const { message, step } = await reopenMessage(ofTurn, last, seen, by);
  const events: EventBody[] = [chatImported(digest, principal), ...earlier, message];

  if (step.length === 0) return appendMessages(engine, head, events, request.updatedAt);

  const journal = await engine.openJournal(head);
  const runId = engine.ids.run();
  const start: EventBody = {
    type: 'run-started',
    messageId: engine.ids.message(),
    release: releaseOf(engine),
    by,
    asker: recordPrincipal(principal, engine.clock.now()),
    callOptions,
    gates: gateNames(engine.settings),
    ...turnMetadata(engine, { type: 'start' }),
  };
  const opening = [...events, start, ...step];
  const due = await firstQuestion(ofTurn, journal, opening);
  await commitWatched(engine, journal, runId, opening, due);
  return { status: 'imported', open: due.approvalId };
}

/** Writes a turn whose first run has already asked. It is observed like any other run. */
async function commitWatched(
  { observers }: Engine,
  journal: Journal,
  runId: RunId,
  opening: readonly EventBody[],
  due: DueQuestion,
): Promise<void> {
  const { watch, events } = observers.begin({ chatId: journal.head.id, runId }, journal.turn, opening);
  const suspended = { type: 'run-suspended', toolCallId: due.toolCallId } as const;
  try {
    await journal.commit(runId, ...events, due, suspended);
  } finally {
    watch.end();
  }
}

/** A failure of `prepareCall` affects only this chat. */
async function settingsFor({ settings }: Engine, turn: TurnRecord): Promise<FlowSettings> {
  const { chatId } = turn;
  try {
    return await settingsOfTurn(settings, turn);
  } catch (cause) {
    if (isTransient(cause)) throw cause;
    const text = `The settings of chat ${chatId} could not be prepared. Check \`prepareCall\`.`;
    throw new CountersignError('invalid-request', text, { chatId }, { cause });
  }
}

async function firstQuestion(
  engine: TurnEngine,
  journal: Journal,
  opening: readonly EventBody[],
): Promise<DueQuestion> {
  const { settings, clock, recentOutcomes, principal, chatId } = engine;
  const turn = turnWith(journal.turn, opening);
  const next = nextAction(turn);
  const due = next.type === 'ask' && (await questionDue(engine, turn, next.call, personOf(principal)));
  if (!due || due.type === 'tool-failed' || next.type !== 'ask') {
    const text = `The open approval of chat ${chatId} could not be asked again: its arguments do not fit.`;
    throw new CountersignError('invalid-request', text, { chatId });
  }
  const asking = { settings, clock, chatId, principal, journal, recentOutcomes };
  const repeatOf = await findRepeat(asking, next.call);
  const preview = await makePreview(engine, next.call);
  return { ...due, repeatOf, preview };
}
