import { isRunEnd } from '../../../lib/protocol/index.ts';
import { checkLog } from '../../support/check-log.ts';
import { checkPrompt } from '../../support/check-prompt.ts';
import { approvedAndOnce } from './approved-and-once.ts';
import { callOptions } from './call-options.ts';
import { dataParts } from './data-parts.ts';
import { dialectInvariants } from './dialects/index.ts';
import { effects } from './effects.ts';
import { errors } from './errors.ts';
import { forgedApprovals } from './forged-approvals.ts';
import { imports } from './imports.ts';
import { inDoubt } from './in-doubt.ts';
import { type Invariant, tally } from './invariant.ts';
import { keys } from './keys.ts';
import { knownOutcomes } from './known-outcomes.ts';
import { listInvariants } from './lists/index.ts';
import { lookups } from './lookups.ts';
import { modelSeesLog } from './model-sees-log.ts';
import { pausesHold } from './pauses-hold.ts';
import { pausesSpread } from './pauses-spread.ts';
import { readers } from './readers.ts';
import { record } from './record.ts';
import { repeats } from './repeats.ts';
import { severalInvariants } from './several/index.ts';
import { shownIsRun } from './shown-is-run.ts';
import { stopsHold } from './stops-hold.ts';
import { storedIsStreamed } from './stored-is-streamed.ts';
import { strangers } from './strangers.ts';
import { subagents } from './subagents.ts';
import { subscriptionInvariants } from './subscriptions/index.ts';
import { timeLimits } from './time-limits.ts';
import { turnsEnd } from './turns-end.ts';

export type { Invariant } from './invariant.ts';

const nothingFollows: Invariant = {
  name: "nothing follows a run's end",
  check({ logs }) {
    const { verify, result } = tally();
    for (const [chatId, log] of logs) {
      const ended = new Set<string>();
      for (const { event } of log) {
        if (event.runId !== undefined)
          verify(ended.has(event.runId) && `${chatId}: ${event.type} follows the end of ${event.runId}`);
        if (isRunEnd(event)) ended.add(event.runId);
      }
      if (chatId !== '~flow')
        verify(...checkLog(log.map(({ event }) => event)).map((fault) => `${chatId}: ${fault}`));
    }
    return result();
  },
};

const strictPrompts: Invariant = {
  name: 'no prompt is rejected by a strict model API',
  check({ prompts }) {
    const { verify, result } = tally();
    for (const { chatId, prompt } of prompts)
      verify(...checkPrompt(prompt).map((fault) => `${chatId}: ${fault}`));
    return result();
  },
};

/** What must hold for every schedule: the seven promises of the README, and what they depend on. */
export const invariants: readonly Invariant[] = [
  shownIsRun,
  approvedAndOnce,
  knownOutcomes,
  effects,
  lookups,
  keys,
  stopsHold,
  pausesHold,
  pausesSpread,
  timeLimits,
  modelSeesLog,
  callOptions,
  dataParts,
  subagents,
  imports,
  forgedApprovals,
  inDoubt,
  readers,
  storedIsStreamed,
  turnsEnd,
  nothingFollows,
  strictPrompts,
  strangers,
  record,
  repeats,
  errors,
  ...dialectInvariants,
  ...subscriptionInvariants,
  ...severalInvariants,
  ...listInvariants,
];

/** The invariants that had nothing to check. */
export function idleInvariants(checked: Readonly<Record<string, number>>): string[] {
  return invariants.map(({ name }) => name).filter((name) => !checked[name]);
}
