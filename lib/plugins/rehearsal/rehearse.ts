import type { ChatHead, FlowStore } from '../../log/store/index.ts';
import { CountersignError, type FlowEvent, type Principal } from '../../protocol/index.ts';
import { anything, checkSettings } from '../../protocol/settings.ts';
import { checkOperator } from '../../rights/permissions.ts';
import type { Engine } from '../../run/engine.ts';
import { checksFor } from '../../settings/checks/check-settings.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import type { Rehearsal } from './rehearsal.ts';
import { replayChat } from './replay-chat.ts';
import { createTally } from './tally.ts';

type Policy = NonNullable<FlowSettings['toolApproval']>;

/** Gates by name. No turn uses them. */
export type Policies = Readonly<Record<string, Policy>>;

type RehearsalParts = Pick<Engine, 'settings' | 'store' | 'schemas' | 'clock'> & {
  readonly policies: Policies;
};

/** @see RehearsalMethods.run */
export type RehearseRequest = {
  /** The gate to rehearse, in any form that `toolApproval` accepts, or the name of one of the plugin's `policies`. */
  readonly policy: Policy | string;
  /** The person who asks for the report. `mayOperate` must return `true` for them. Default: no rights are checked. */
  readonly principal?: Principal;
  /** Only calls that the model made at or after this time, in epoch milliseconds. */
  readonly since: number;
  /** Only calls that the model made before this time, in epoch milliseconds. Default: now. */
  readonly until?: number;
  /** The maximum number of examples for each change: a whole number. Default: 5. */
  readonly examples?: number;
};

const chatsAtOnce = 100;
const eventsAtOnce = 500;
const defaultExamples = 5;

/**
 * Passes past calls through another gate, and compares its decisions with the recorded ones.
 *
 * @throws CountersignError `not-found` for a principal for whom `mayOperate` does not return `true`; `invalid-settings` for a gate that
 * `createApprovalFlow` would refuse; `invalid-request` for an unknown policy name, for a `since` after `until`, for `examples`
 * that are no whole number, and if the store cannot list chats by time
 */
export async function rehearse(
  { settings, store, schemas, clock, policies }: RehearsalParts,
  { policy, principal, since, until, examples = defaultExamples }: RehearseRequest,
): Promise<Rehearsal> {
  if (principal) await checkOperator(settings, principal);
  const toolApproval = typeof policy === 'string' ? policyNamed(policies, policy) : policy;
  const end = until ?? (await clock.sure());
  checkPeriod(since, end);
  checkExamples(examples);
  checkPolicy(settings, toolApproval);
  const tools = { settings: silent({ ...settings, toolApproval }), schemas };
  const tally = createTally(examples);
  let chats = 0;
  for await (const head of chatsSince(store, since)) {
    if (head.createdAt >= end) continue;
    const replays = await replayChat(tools, head.id, eventsOf(store, head), { since, until: end });
    if (replays.length > 0) chats += 1;
    for (const replay of replays) {
      if ('skipped' in replay) tally.skip(replay.skipped);
      else tally.add(replay);
    }
  }
  return { since, until: end, chats, ...tally.result() };
}

/** Refuses a gate that `toolApproval` could not be. @throws CountersignError `invalid-settings` @source ADR 0046 */
export function checkPolicy(settings: FlowSettings, policy: unknown, path = 'policy'): void {
  const { toolApproval: check = anything } = checksFor(settings);
  checkSettings('rehearsal', { [path]: policy }, { [path]: check });
}

function policyNamed(policies: Policies, name: string): Policy {
  const policy = Object.hasOwn(policies, name) ? policies[name] : undefined;
  if (policy) return policy;
  throw new CountersignError('invalid-request', 'The flow has no policy with this name.', { name });
}

function checkPeriod(since: number, until: number): void {
  if (Number.isFinite(since) && Number.isFinite(until) && since <= until) return;
  throw new CountersignError(
    'invalid-request',
    '`since` must not be after `until`. Both are times in epoch milliseconds.',
    {
      since,
      until,
    },
  );
}

function checkExamples(examples: number): void {
  if (Number.isInteger(examples) && examples >= 0) return;
  throw new CountersignError('invalid-request', '`examples` must be a whole number, at least 0.', {
    examples,
  });
}

/**
 * The settings without the logger and the input callbacks of tools: a failure of the gate is counted, not logged, and no callback
 * is called for a call that is not made.
 */
function silent(settings: FlowSettings): FlowSettings {
  const tools = Object.entries(settings.tools ?? {}).map(([name, tool]) => [
    name,
    { ...tool, onInputStart: undefined, onInputDelta: undefined, onInputAvailable: undefined },
  ]);
  return { ...settings, logger: undefined, tools: Object.fromEntries(tools) };
}

async function* chatsSince(store: FlowStore, since: number): AsyncGenerator<ChatHead> {
  // A chat that changes while the pages are read is listed again on a later page.
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await store.chats.changedSince({ since, cursor, limit: chatsAtOnce });
    for (const head of page.items) {
      if (seen.has(head.id)) continue;
      seen.add(head.id);
      yield head;
    }
    cursor = page.next;
  } while (cursor !== undefined);
}

async function* eventsOf(store: FlowStore, { id, seq }: ChatHead): AsyncGenerator<FlowEvent> {
  let after = 0;
  while (after < seq) {
    const events = await store.events.read(id, after, eventsAtOnce);
    const last = events.at(-1);
    if (!last) return;
    yield* events;
    after = last.seq;
  }
}
