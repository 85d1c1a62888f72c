import type { Release } from '../../../lib/protocol/index.ts';
import { type ToolName, toolNames } from '../actors/tools.ts';
import type { DialectProfile } from '../dialects/profile.ts';
import type { ListsProfile } from '../lists/profile.ts';
import type { Random } from '../machine/random.ts';
import type { SeveralProfile } from '../several/profile.ts';
import type { SubscriptionProfile } from '../subscriptions/profile.ts';

/** What clients do. */
export const acts = [
  'send',
  'send-again',
  'answer',
  'answer-twice',
  'answer-late',
  'answer-edited',
  'answer-forged',
  'answer-remember',
  'forget',
  'listen',
  'deny',
  'inbox',
  'output',
  'resolve',
  'stop',
  'regenerate',
  'edit',
  'leave',
  'resume',
  'sign-out',
  'spy',
  'erase',
] as const;
export type Act = (typeof acts)[number];

/** The faults. */
export const faults = [
  'kill',
  'freeze',
  'close',
  'restart-changed',
  'cut',
  'notifications-lost',
  'append-fails',
  'append-dies',
  'append-freezes',
  'pause',
  'forge',
] as const;
export type Fault = (typeof faults)[number];

/**
 * The parameters of one schedule. Each schedule has only some of everything, because rare events coincide more often
 * among few others.
 */
export type Profile = {
  readonly instances: number;
  readonly chats: number;
  readonly steps: number;
  /** The longest time between two steps, in virtual milliseconds. */
  readonly gapMs: number;
  readonly delayMs: number;
  readonly repeats: number;
  readonly skewMs: readonly number[];
  readonly modelFaults: boolean;
  readonly auditKey: boolean;
  readonly release: Release;
  readonly deadlineMs?: number;
  readonly approvalValidForMs?: number;
  readonly tools: readonly ToolName[];
  readonly acts: Readonly<Partial<Record<Act, number>>>;
  readonly faults: Readonly<Partial<Record<Fault, number>>>;
  /** The share of steps that are faults. */
  readonly faultRate: number;
  /** Requests have call options, and the flow has `prepareCall`. */
  readonly callOptions: boolean;
  /** Tools write data parts. */
  readonly dataParts: boolean;
  /** The model also calls subagents. */
  readonly subagents: boolean;
  /** Chats of another app are imported, some of them again. */
  readonly imports: boolean;
  /** Turns are also read, and begun and answered, through dialects. */
  readonly dialects?: DialectProfile;
  /** Questions need several people, are escalated, or are delegated. */
  readonly several?: SeveralProfile;
  /** Events are delivered to subscribers. */
  readonly subscriptions?: SubscriptionProfile;
  /** Which plugins the instances have. */
  readonly lists?: ListsProfile;
};

const always: Readonly<Partial<Record<Act, number>>> = { send: 4, answer: 12, deny: 1, resume: 1, stop: 1 };

/** The profile of a seed. */
export function profileOf(random: Random): Profile {
  const some = <Item>(items: readonly Item[], chance: number) => items.filter(() => random.chance(chance));
  const weights = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, 1 + random.below(3)]));
  const chosen = some(toolNames, random.pick([0.1, 0.2, 0.4]));
  return {
    instances: 1 + random.below(3),
    chats: 1 + random.below(2),
    steps: 10 + random.below(16),
    gapMs: random.pick([40, 200, 700]),
    delayMs: random.pick([0, 0, 4, 30, 150]),
    repeats: random.pick([0, 0, 30]),
    skewMs: [0, 1, 2].map(() => skewOf(random)),
    modelFaults: random.chance(0.4),
    auditKey: random.chance(0.5),
    release: random.pick(['final', 'progressive', 'hold-after-question']),
    deadlineMs: random.chance(0.15) ? 1_000 + random.below(4_000) : undefined,
    approvalValidForMs: random.chance(0.1) ? 2_000 : undefined,
    tools: chosen.length > 0 ? chosen : ['pay'],
    acts: { ...weights(some(acts, 0.5)), ...always },
    faults: weights(some(faults, 0.4)),
    faultRate: random.pick([0, 0.1, 0.2, 0.35]),
    callOptions: random.chance(0.3),
    dataParts: random.chance(0.3),
    subagents: random.chance(0.2),
    imports: random.chance(0.14),
  };
}

/** Usually none, often some, and sometimes more than a lease. */
function skewOf(random: Random): number {
  const most = random.weighted({ 0: 14, 200: 5, 6000: 1 });
  return random.below(2 * Number(most) + 1) - Number(most);
}
