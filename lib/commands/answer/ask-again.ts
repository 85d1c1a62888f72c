import type { Journal } from '../../log/journal.ts';
import { turnWith } from '../../log/turn/fold-turn.ts';
import { type Call, currentAsker } from '../../log/turn/turn.ts';
import {
  type ApprovalId,
  type EventBody,
  type Principal,
  personOf,
  type RunId,
} from '../../protocol/index.ts';
import { replaceCall } from '../../run/call/replace-call.ts';
import type { TurnEngine } from '../../run/engine.ts';
import { missingForTurn } from '../../run/lease/missing-for-turn.ts';
import { nextAction } from '../../run/next-action.ts';
import { makePreview } from '../../run/preview/make-preview.ts';
import { findStanding } from '../../run/question/apply-standing.ts';
import { questionDue } from '../../run/question/question-due.ts';
import { findRepeat } from '../../run/question/repeats.ts';
import { runStart } from '../../run/run-start.ts';
import type { AskAgain } from './outcome.ts';

/** The run, and the question that replaces the old one; none if the gate decided itself, or the tool no longer exists. */
export type AskedAgain = { readonly runId: RunId; readonly replacedBy?: ApprovalId };

/**
 * Withdraws an open question that no longer matches what would run, and asks again: a new run, in one append
 * with the new question. If there is nothing to ask, or a plugin of the turn is missing here, the run continues.
 *
 * @param principal the person who answered, or, in a sweep, who asked for the call
 * @throws Conflict when the question has been settled
 * @source ADR 0020
 */
export async function askAgain(
  engine: TurnEngine,
  journal: Journal,
  { call, why, edit, withQuestion }: Omit<AskAgain, 'type'> & { readonly call: Call },
  principal: Principal,
): Promise<AskedAgain> {
  const runId = engine.ids.run();
  const events = await replaceCall({ ...engine, journal }, call, why, edit);
  const isWhole = missingForTurn(engine.settings, journal.turn) === undefined;
  const due = isWhole ? await nextQuestion(engine, journal, events, principal) : undefined;
  const start = runStart(journal, principal);
  if (!due) {
    await engine.begin(journal, { runId, principal, settings: engine.prepared }, start, ...events);
    return { runId };
  }
  const { approvalId, toolCallId } = due;
  // The gate may have ended the call: then this is the question of another call.
  const isAboutSameCall = due.replaces === call.asked?.approvalId;
  const asked = withQuestion && isAboutSameCall ? [due, withQuestion(due)] : [due];
  await journal.commit(runId, start, ...events, ...asked, { type: 'run-suspended', toolCallId });
  return isAboutSameCall ? { runId, replacedBy: approvalId } : { runId };
}

/** The question that follows from these events, unless an execution or an approval that may cover it comes first. */
async function nextQuestion(
  engine: TurnEngine,
  journal: Journal,
  events: readonly EventBody[],
  acting: Principal,
): Promise<Extract<EventBody, { type: 'approval-requested' }> | undefined> {
  const asker = currentAsker(journal.turn, acting);
  const draft = turnWith(journal.turn, events);
  const next = nextAction(draft);
  if (next.type !== 'ask') return undefined;
  const due = await questionDue(engine, draft, next.call, personOf(asker));
  if (due.type === 'tool-failed') return undefined;
  const { settings, clock, recentOutcomes } = engine;
  const asking = { settings, clock, chatId: journal.head.id, principal: asker, journal, recentOutcomes };
  const repeating = () => findRepeat(asking, next.call);
  const asked = { call: next.call, due, asker, acting, repeatOf: repeating };
  if (await findStanding(engine, { head: journal.head, turn: draft }, asked)) return undefined;
  const repeatOf = await repeating();
  const preview = await makePreview(engine, next.call);
  return { ...due, repeatOf, preview };
}
