import type {
  DecisionChange,
  GateDecision,
  GivenAnswer,
  NotRehearsed,
  Rehearsal,
  RehearsedCall,
} from './rehearsal.ts';

/** One past call, with the recorded decision and that of the other gate. */
export type Replay = {
  readonly recorded: GateDecision;
  readonly rehearsed: GateDecision;
  readonly call: RehearsedCall;
};

type Change = {
  calls: number;
  readonly people: Set<string | undefined>;
  readonly tools: Map<string, number>;
  readonly answers: Record<GivenAnswer, number>;
  examples: RehearsedCall[];
};

const none = () => ({ asked: 0, allowed: 0, denied: 0, failed: 0 });

/**
 * Counts replays. Its memory grows with the numbers of people, tools and examples, not with the number of calls.
 *
 * @param mostExamples the number of examples to keep for each change
 */
export function createTally(mostExamples: number) {
  const recorded = none();
  const rehearsed = none();
  const notRehearsed: Record<NotRehearsed, number> = {
    'tool-removed': 0,
    'arguments-unfit': 0,
    subagent: 0,
    'agent-request': 0,
  };
  const changes = new Map<`${GateDecision} ${GateDecision}`, Change>();
  let calls = 0;

  function addChange(replay: Replay): void {
    const { call } = replay;
    const key = `${replay.recorded} ${replay.rehearsed}` as const;
    const change = changes.get(key) ?? newChange();
    changes.set(key, change);
    change.calls += 1;
    change.people.add(call.askedBy?.id);
    change.tools.set(call.toolName, (change.tools.get(call.toolName) ?? 0) + 1);
    if (call.answer) change.answers[call.answer] += 1;
    change.examples = [...change.examples, call]
      .sort((one, other) => other.at - one.at)
      .slice(0, mostExamples);
  }

  return {
    add(replay: Replay): void {
      calls += 1;
      recorded[replay.recorded] += 1;
      rehearsed[replay.rehearsed] += 1;
      if (replay.recorded !== replay.rehearsed) addChange(replay);
    },

    skip(why: NotRehearsed): void {
      notRehearsed[why] += 1;
    },

    result(): Pick<Rehearsal, 'calls' | 'recorded' | 'rehearsed' | 'changes' | 'notRehearsed'> {
      const shown = [...changes].map(([key, change]) => shownChange(key, change));
      return {
        calls,
        recorded,
        rehearsed,
        changes: shown.sort((one, other) => other.calls - one.calls),
        notRehearsed,
      };
    },
  };
}

function newChange(): Change {
  const answers = { approved: 0, edited: 0, denied: 0, remembered: 0, none: 0 };
  return { calls: 0, people: new Set(), tools: new Map(), answers, examples: [] };
}

function shownChange(
  key: `${GateDecision} ${GateDecision}`,
  { calls, people, tools, answers, examples }: Change,
): DecisionChange {
  const [from, to] = key.split(' ') as [GateDecision, GateDecision];
  const byNumber = [...tools].sort(([, one], [, other]) => other - one);
  return {
    from,
    to,
    calls,
    people: people.size,
    tools: Object.fromEntries(byNumber),
    answers: from === 'asked' ? answers : undefined,
    examples,
  };
}
