import type { UIMessageChunk } from 'ai';
import type { Release } from '../../../protocol/index.ts';
import { checkResponseTiming } from '../../../testing/response-timing/check-response-timing.ts';
import { isQuestion } from '../../../testing/response-timing/chunk-kinds.ts';
import type { TimingRule, Violation } from '../../../testing/response-timing/violation.ts';
import { breakOf, type ClientTools, responsesOf, type Turn } from '../turns/turn.ts';
import { guardedResponses } from './confirmation-calls.ts';
import type { Evidence, Found } from './finding.ts';
import { completedFrames } from './missing-frames.ts';
import { sortViolations } from './sort-violations.ts';

/** The rules about the shape of responses that apply to a release mode. @source T1-T3, T11, T17 */
const shapeRules: Readonly<Record<Release, readonly TimingRule[]>> = {
  final: ['T1', 'T2', 'T3'],
  progressive: ['T11'],
  'hold-after-question': ['T11', 'T2', 'T3'],
};

/** A turn with its timing violations. */
export type JudgedTurn = {
  readonly turn: Turn;
  /** With the calls that confirmation calls guard in their places. */
  readonly responses: readonly UIMessageChunk[][];
  /** @see GuardedResponses.callOf */
  readonly callOf: (toolCallId: string) => string;
  readonly violations: readonly Violation[];
  readonly differences: readonly Violation[];
  /** Whether any response asked a question. */
  readonly asked: boolean;
};

/**
 * Checks one turn against the response timing rules, and separates harmless differences (see {@link sortViolations}).
 */
export function judgeTurn(turn: Turn, release: Release, clientTools: ClientTools = new Map()): JudgedTurn {
  const { responses: guarded, callOf } = guardedResponses(responsesOf(turn));
  const [shape = 'T1'] = shapeRules[release];
  const { responses, differences } = completedFrames(guarded, shape);
  const answers = Object.fromEntries(turn.answered.map(({ approvalId, approved }) => [approvalId, approved]));
  const all = checkResponseTiming(responses, {
    release,
    answers,
    clientTools: [...clientTools.keys()],
    finished: turn.ended,
  });
  const sorted = sortViolations([...all, ...breakIn(turn)], responses);
  return {
    turn,
    responses,
    callOf,
    violations: sorted.violations,
    differences: [...differences, ...sorted.differences],
    asked: responses.flat().some(isQuestion),
  };
}

/** A response that never ended breaks the rule for its shape. */
function breakIn(turn: Turn): Violation[] {
  const message = breakOf(turn);
  if (message === undefined) return [];
  const response = turn.exchanges.findIndex(({ end }) => end.type !== 'complete');
  return [{ rule: response === 0 ? 'T1' : 'T3', response, message, chunks: [] }];
}

type Row = {
  readonly rule: TimingRule;
  readonly title: string;
  /** Whether the turns gave an occasion to observe the rule. */
  readonly seen: (turns: readonly JudgedTurn[]) => boolean;
  readonly unseen: string;
};

const asksTwice = ({ responses }: JudgedTurn) =>
  responses.filter((chunks) => chunks.some(isQuestion)).length > 1;
const endsAsked = ({ asked, turn }: JudgedTurn) => asked && turn.ended;
const shapes: readonly Row[] = [
  {
    rule: 'T1',
    title: 'a first response with a question contains only that question',
    seen: (turns) => turns.some(({ asked }) => asked),
    unseen: 'nothing was asked',
  },
  {
    rule: 'T2',
    title: 'a response between two answers contains only the next question',
    seen: (turns) => turns.some(asksTwice),
    unseen: 'no turn asked in two responses; give a --prompt that leads to two questions',
  },
  {
    rule: 'T3',
    title: 'the last response contains all text, then every outcome in call order',
    seen: (turns) => turns.some(endsAsked),
    unseen: 'no turn with a question was completed',
  },
];
const everywhere: readonly Row[] = [
  {
    rule: 'T4',
    title: 'all responses of a turn build one message',
    seen: (turns) => turns.some(({ responses }) => responses.length > 1),
    unseen: 'no turn had two responses',
  },
  {
    rule: 'T5',
    title: 'every response starts a step before its first part',
    seen: (turns) => turns.length > 0,
    unseen: 'there was no response',
  },
  {
    rule: 'T6',
    title: 'data parts are transient or withheld like text, and reports contain no result',
    seen: (turns) => turns.length > 0,
    unseen: 'there was no response',
  },
  {
    rule: 'T8',
    title: 'a denied call does not run and blocks no other',
    seen: (turns) => turns.some(({ turn }) => turn.ended && turn.answered.some(({ approved }) => !approved)),
    unseen: 'no turn with a denial was completed',
  },
  {
    rule: 'T15',
    title: 'no response is empty',
    seen: (turns) => turns.length > 0,
    unseen: 'there was no response',
  },
  {
    rule: 'T16',
    title: 'an interrupted response ends with error or abort',
    seen: (turns) => turns.some(({ responses }) => responses.flat().some(isBreak)),
    unseen: 'no response broke off',
  },
];

const progressive: Row = {
  rule: 'T11',
  title: 'text and outcomes are sent as they happen, and questions still one at a time',
  seen: (turns) => turns.some(({ asked }) => asked),
  unseen: 'nothing was asked',
};

/**
 * Findings for T1-T6, T8, T15 and T16 from whole turns. In progressive release T11 replaces T1-T3; with
 * `hold-after-question` it replaces T1.
 */
export function findTiming(turns: readonly JudgedTurn[], release: Release): Found[] {
  const own = [...shapes, progressive].filter(({ rule }) => shapeRules[release].includes(rule));
  const left = [...shapes, progressive].filter(({ rule }) => !shapeRules[release].includes(rule));
  const rows = [...own, ...everywhere];
  const why =
    release === 'final'
      ? 'an opt-in; for a backend that has it give --release progressive'
      : 'T11 applies instead';
  return [
    ...rows.map((row) => findingOf(row, turns)),
    ...left.map(({ rule, title }) => unseen(rule, title, why)),
  ];
}

function findingOf({ rule, title, seen, unseen: why }: Row, turns: readonly JudgedTurn[]): Found {
  const broken = evidenceOf(turns, ({ asked, violations }) =>
    violations.filter((violation) => violation.rule === rule && (asked || rule !== 'T3')),
  );
  if (broken.length > 0) return { rule, title, status: 'fail', evidence: broken };
  const differences = evidenceOf(turns, (turn) => turn.differences.filter((other) => other.rule === rule));
  if (differences.length > 0) {
    return { rule, title, status: 'differs', note: 'no client is misled by it', evidence: differences };
  }
  return seen(turns) ? { rule, title, status: 'pass' } : unseen(rule, title, why);
}

function unseen(rule: TimingRule, title: string, note: string): Found {
  return { rule, title, status: 'not-observed', note };
}

/** Violations with their location. */
export function evidenceOf(
  turns: readonly JudgedTurn[],
  of: (turn: JudgedTurn) => readonly Violation[],
): Evidence[] {
  return turns.flatMap((judged) =>
    of(judged).map(({ response, message, chunks }) => ({
      where: `${judged.turn.name}, response ${response + 1}`,
      message,
      chunks,
    })),
  );
}

function isBreak(chunk: UIMessageChunk): boolean {
  return chunk.type === 'error' || chunk.type === 'abort';
}
