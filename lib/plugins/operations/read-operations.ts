import { callsIn } from '../../commands/resolve-outcome.ts';
import { isUnknown } from '../../log/turn/call-end.ts';
import type { ApprovalId, ChatId, Pause, Principal, RunId, ToolCallId } from '../../protocol/index.ts';
import { mapInParallel } from '../../rights/map-in-parallel.ts';
import { checkOperator, mayRead } from '../../rights/permissions.ts';
import { mayAnswer } from '../../rights/right-to-answer.ts';
import type { Engine } from '../../run/engine.ts';
import { awaitedPlugin } from '../../run/lease/awaited-plugin.ts';

/** A run that makes no progress. */
export type StuckRun = {
  readonly chatId: ChatId;
  readonly runId: RunId;
  /**
   * `abandoned`: no instance holds its lease. `silent`: an instance holds it, but nothing was recorded for
   * ten minutes.
   */
  readonly state: 'abandoned' | 'silent';
  /** A plugin that the run needs and this instance lacks. */
  readonly waitsForPlugin?: string | undefined;
  /** When an event was last recorded, in epoch milliseconds. */
  readonly since: number;
  /** Whether this principal may see the chat. */
  readonly maySeeChat: boolean;
};

/** A call whose effect is unknown. Does not include its arguments, which are part of its chat. */
export type UnknownOutcome = {
  readonly chatId: ChatId;
  readonly toolCallId: ToolCallId;
  /** The question that was approved. */
  readonly approvalId: ApprovalId;
  readonly toolName: string;
  readonly title?: string;
  /** When the call ended, in epoch milliseconds. */
  readonly since: number;
  readonly maySeeChat: boolean;
  /** Whether this principal may record the outcome. */
  readonly mayRecord: boolean;
};

/** What needs an operator, of all chats. */
export type Operations = {
  /** Longest without progress first. */
  readonly runs: readonly StuckRun[];
  /** Most recently approved first. */
  readonly outcomes: readonly UnknownOutcome[];
  /** How many chats were searched for `outcomes`: at most the 50 with the latest approvals. */
  readonly chatsSearched: number;
  readonly pauses: readonly Pause[];
};

const silentAfterMs = 10 * 60_000;
const mostRuns = 200;
const mostQuestions = 200;
const mostChats = 50;
const readAtOnce = 4;

/**
 * Reads what needs an operator.
 *
 * @throws CountersignError `not-found` unless `mayOperate` returns `true`
 */
export async function readOperations(engine: Engine, principal: Principal): Promise<Operations> {
  await checkOperator(engine.settings, principal);
  await engine.pauses.refresh();
  const [runs, found] = await Promise.all([stuckRuns(engine, principal), unknownOutcomes(engine, principal)]);
  return { runs, ...found, pauses: engine.pauses.all() };
}

async function stuckRuns(engine: Engine, principal: Principal): Promise<readonly StuckRun[]> {
  const { store, settings, clock } = engine;
  const now = await clock.sure();
  const abandoned = new Set(await store.runs.orphans(now));
  // With this time, every lease counts as expired, so these are all active runs.
  const active = (await store.runs.orphans(Number.MAX_SAFE_INTEGER)).slice(0, mostRuns);
  const runs = await mapInParallel(active, readAtOnce, async (chatId): Promise<StuckRun[]> => {
    const head = await store.chats.head(chatId);
    if (head?.status !== 'active' || head.runId === null) return [];
    const isAbandoned = abandoned.has(chatId);
    if (!isAbandoned && now - head.updatedAt < silentAfterMs) return [];
    return [
      {
        chatId,
        runId: head.runId,
        state: isAbandoned ? 'abandoned' : 'silent',
        waitsForPlugin: isAbandoned ? await awaitedPlugin(engine, head) : undefined,
        since: head.updatedAt,
        maySeeChat: await mayRead(settings, principal, head),
      },
    ];
  });
  return runs.flat().sort((one, other) => one.since - other.since);
}

async function unknownOutcomes(
  { store, settings }: Engine,
  principal: Principal,
): Promise<Pick<Operations, 'outcomes' | 'chatsSearched'>> {
  const { items } = await store.questions.settled({ limit: mostQuestions });
  const approved = items.filter(({ state }) => state === 'approved');
  const chats = [...new Set(approved.map(({ chatId }) => chatId))].slice(0, mostChats);
  const found = await mapInParallel(chats, readAtOnce, async (chatId) => {
    const calls = callsIn(await store.events.read(chatId, 0));
    const unknown = approved.flatMap((question) => {
      const { end, resolved } = calls.get(question.toolCallId) ?? {};
      if (question.chatId !== chatId || !end || !isUnknown(end) || resolved) return [];
      return [{ question, since: end.at }];
    });
    return mapInParallel(unknown, readAtOnce, async ({ question, since }): Promise<UnknownOutcome> => {
      const { id: approvalId, toolCallId, toolName, title, ownerId } = question;
      return {
        ...{ chatId, toolCallId, approvalId, toolName, title, since },
        maySeeChat: await mayRead(settings, principal, { id: chatId, ownerId }),
        mayRecord: await mayAnswer(settings, principal, question),
      };
    });
  });
  return { outcomes: found.flat(), chatsSearched: chats.length };
}
