import { floorNames } from './answer-round-trip.ts';
import { median } from './support/distribution.ts';
import type { Results } from './support/results.ts';

/** One target of ours, and what came of it in this run. */
export type Reach = {
  readonly what: string;
  readonly target: string;
  readonly measured: number;
  readonly isMet: boolean;
  /** Where it was missed and a bare thing was measured: what nothing can be under, and how far above it we are. */
  readonly floor?: string;
};

/** Every target, of what was measured in this run; a target whose measure was left out is left out. */
export function reach(results: Results): Reach[] {
  return [...roundTrip(results), ...flows(results), ...costs(results), ...lengths(results)]
    .filter(({ measured }) => Number.isFinite(measured))
    .map(({ floor, ...row }) => (row.isMet || floor?.includes('NaN') ? row : { ...row, floor }));
}

function atMost(what: string, limit: number, measured: number, floor?: string): Reach {
  return { what, target: `at most ${limit}`, measured, isMet: measured <= limit, floor };
}

function atLeast(what: string, limit: number, measured: number, floor?: string): Reach {
  return { what, target: `at least ${limit}`, measured, isMet: measured >= limit, floor };
}

function roundTrip({ answerRoundTrip: rows = [] }: Results): Reach[] {
  const at = (contestant: string, messages: number) =>
    rows.find((row) => row.contestant === contestant && row.messages === messages)?.toQuestion.median ??
    Number.NaN;
  const [sse, bidi, plain] = ['Countersign SSE, SQLite', 'Countersign BIDI, SQLite', 'plain ai HTTP, SQLite'];
  const ours = rows.filter(({ contestant }) => contestant.startsWith('Countersign'));
  const bareRatio = at(floorNames.bidi, 1) / at(floorNames.sse, 1);
  const floor = (floorName: string, contestant: string, messages: number) => {
    const least = at(floorName, messages);
    return `${least.toFixed(2)} ms of a bare server; ours is ${(at(contestant, messages) / least).toFixed(2)} times that`;
  };
  return [
    atMost(
      'round trip, 1 message, SSE / plain ai',
      1,
      at(sse, 1) / at(plain, 1),
      floor(floorNames.sse, sse, 1),
    ),
    atMost(
      'round trip, 1,000 messages, SSE / plain ai',
      0.2,
      at(sse, 1_000) / at(plain, 1_000),
      floor(floorNames.sse, sse, 1_000),
    ),
    atMost(
      'round trip, 1 message, BIDI / SSE',
      0.7,
      at(bidi, 1) / at(sse, 1),
      `a bare server's own ratio is ${bareRatio.toFixed(2)}; ours is ${(at(bidi, 1) / at(sse, 1) / bareRatio).toFixed(2)} times that; in time ${floor(floorNames.bidi, bidi, 1)}`,
    ),
    atMost(
      'body bytes per answer, any length',
      1_024,
      Math.max(...ours.map(({ bytesPerAnswer }) => bytesPerAnswer)),
    ),
  ];
}

/** Of rounds that followed each other, since the machine drifts: the median of their ratios. */
function flows({ durableFlows: rows = [] }: Results): Reach[] {
  const ratio = (one: string, other: string) => {
    const [ours = [], theirs = []] = [one, other].map(
      (name) => rows.find((row) => row.name === name)?.rounds[16],
    );
    return ours.length === 0
      ? Number.NaN
      : median(ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN)));
  };
  const floor = (database: 'SQLite' | 'Postgres') => {
    const bare = `floor: bare steps and commits, ${database}`;
    const perSecond = rows.find(({ name }) => name === bare)?.perSecond[16] ?? Number.NaN;
    const times = ratio(bare, `Countersign, ${database}`);
    return `${perSecond.toFixed(0)} a second of bare steps and commits; that is ${times.toFixed(2)} times ours`;
  };
  const row = (least: number, database: 'SQLite' | 'Postgres', other: string, words: string) =>
    atLeast(
      `flows per second at 16, ${database} / ${words}`,
      least,
      ratio(`Countersign, ${database}`, other),
      floor(database),
    );
  return [
    row(0.8, 'SQLite', 'plain ai, SQLite', 'plain ai'),
    row(2.5, 'SQLite', 'LangGraph, SQLite FULL', 'LangGraph FULL'),
    row(3, 'Postgres', 'LangGraph, Postgres', 'LangGraph'),
  ];
}

function costs({ waitingQuestions = [], waitingSockets = [], counts, streamCost = [] }: Results): Reach[] {
  const sockets = waitingSockets.filter(({ server }) => server === 'Countersign BIDI');
  const bare = waitingSockets.filter(({ server }) => server === 'bare ws');
  const perSecond = (name: string) =>
    streamCost.find(({ contestant }) => contestant === name)?.deltasPerSecond ?? Number.NaN;
  const slower = Math.min(perSecond('Countersign SSE'), perSecond('Countersign BIDI'));
  return [
    atMost(
      'heap bytes per open question, nobody connected',
      1_024,
      most(
        waitingQuestions.flatMap(({ questions, heapBytesEach }) => (questions < 1_000 ? [] : heapBytesEach)),
      ),
    ),
    atMost(
      'memory bytes per idle socket',
      24 * 1_024,
      most(sockets.map(({ rssBytesEach }) => rssBytesEach)),
      `${bare.at(-1)?.rssBytesEach} bytes of a bare ws socket`,
    ),
    atMost('stored bytes per finished flow', 8 * 1_024, counts?.storedBytesPerFlow ?? Number.NaN),
    atMost('durable writes per flow', 8, counts?.sse.durableWritesPerFlow ?? Number.NaN),
    atLeast(
      'stream throughput, the slower of SSE and BIDI / bare streamText',
      0.8,
      slower / perSecond('bare streamText'),
    ),
  ];
}

function lengths({ growth = [], lifecycleDelay = [], resultDelay = [] }: Results): Reach[] {
  const [short, long] = [10, 10_000].map((messages) => growth.find((row) => row.messages === messages));
  const ratio = (what: 'answer' | 'modelStep' | 'floorModelStep') =>
    (long?.[what] ?? Number.NaN) / (short?.[what] ?? Number.NaN);
  const busy = lifecycleDelay.filter(({ busyRuns }) => busyRuns > 0).map(({ p99 }) => p99);
  return [
    atMost('answer at 10,000 / 10 messages', 1.2, ratio('answer')),
    atMost(
      'model step at 10,000 / 10 messages, transcript warm',
      1.2,
      ratio('modelStep'),
      `a bare server's step grows by ${ratio('floorModelStep').toFixed(2)}, to ${long?.floorModelStep.toFixed(1)} ms; ours to ${long?.modelStep.toFixed(1)} ms, ${((long?.modelStep ?? Number.NaN) / (long?.floorModelStep ?? Number.NaN)).toFixed(2)} times that`,
    ),
    atMost('lifecycle p99 under load, ms', 50, busy.length > 0 ? Math.max(...busy) : Number.NaN),
    atMost(
      'delay of other streams by a result of 4 MB, ms',
      100,
      resultDelay.length > 0 ? Math.max(...resultDelay.map(({ added }) => added)) : Number.NaN,
    ),
  ];
}

/** The largest of several sizes: a small difference of two large heaps can be negative. */
function most(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : Math.max(...values);
}
