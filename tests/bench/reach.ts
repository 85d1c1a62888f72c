import { floorNames } from './answer-round-trip.ts';
import { median } from './support/distribution.ts';
import type { Results } from './support/results.ts';

/** One target of ours, and what came of it in one run. */
export type Reach = {
  readonly what: string;
  readonly target: string;
  readonly measured: number;
  readonly isMet: boolean;
};

/** Every target whose measure was part of this run. */
export function reach(results: Results): Reach[] {
  return [
    ...roundTrip(results),
    ...flows(results),
    ...costs(results),
    ...lengths(results),
    ...pages(results),
    ...packageCosts(results),
  ].filter(({ measured }) => Number.isFinite(measured));
}

function atMost(what: string, limit: number, measured: number): Reach {
  return { what, target: `≤ ${limit.toLocaleString('en')}`, measured, isMet: measured <= limit };
}

function atLeast(what: string, limit: number, measured: number): Reach {
  return { what, target: `≥ ${limit}`, measured, isMet: measured >= limit };
}

function roundTrip({ answerRoundTrip: rows = [], busyRoundTrip = [] }: Results): Reach[] {
  const at = (contestant: string, messages: number) =>
    rows.find((row) => row.contestant === contestant && row.messages === messages)?.toQuestion.median ??
    Number.NaN;
  const toBare = (limit: number, database: 'SQLite' | 'Postgres', lengths: readonly number[]) =>
    lengths.flatMap((messages) =>
      (['SSE', 'BIDI'] as const).map((transport) =>
        atMost(
          `round trip, ${transport}, ${database}, ${messages.toLocaleString('en')} ${messages === 1 ? 'message' : 'messages'} / bare server`,
          limit,
          at(`Countersign ${transport}, ${database}`, messages) /
            at(floorNames[database][transport], messages),
        ),
      ),
    );
  const p99 = (contestant: string) =>
    busyRoundTrip.find((row) => row.contestant === contestant)?.toLastByte.p99 ?? Number.NaN;
  const ours = rows.filter(({ contestant }) => contestant.startsWith('Countersign'));
  return [
    ...toBare(1.15, 'SQLite', [1, 1_000]),
    ...toBare(1.3, 'Postgres', [1]),
    atMost(
      'p99 of the round trip while 64 chats go on, SSE, SQLite / plain ai',
      1,
      p99('Countersign SSE, SQLite') / p99('plain ai HTTP, SQLite'),
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
  const rowOf = (name: string) => rows.find((row) => row.name === name);
  const ratio = (one: string, other: string, concurrency: number) => {
    const [ours = [], theirs = []] = [one, other].map((name) => rowOf(name)?.rounds[concurrency]);
    return ours.length === 0
      ? Number.NaN
      : median(ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN)));
  };
  const [sqlite, postgres] = ['Countersign, SQLite', 'Countersign, Postgres'];
  const floor = (database: string) => `floor: bare steps and commits, ${database}`;
  return [
    atLeast('flows per second at 16, SQLite / floor', 0.85, ratio(sqlite, floor('SQLite'), 16)),
    atLeast(
      'flows per second at 16, SQLite / OpenAI Agents',
      1.15,
      ratio(sqlite, 'OpenAI Agents, SQLite', 16),
    ),
    atLeast(
      'flows per second at 16, SQLite / LangGraph FULL',
      4,
      ratio(sqlite, 'LangGraph, SQLite FULL', 16),
    ),
    atLeast('flows per second at 16, Postgres / LangGraph', 4.5, ratio(postgres, 'LangGraph, Postgres', 16)),
    atLeast('flows per second at 16, Postgres / floor', 0.85, ratio(postgres, floor('Postgres'), 16)),
    atLeast('flows per second at 1, SQLite / floor', 0.6, ratio(sqlite, floor('SQLite'), 1)),
    atMost(
      'CPU per flow at 16, SQLite / plain ai',
      1,
      (rowOf(sqlite)?.cpuMsEach ?? Number.NaN) / (rowOf('plain ai, SQLite')?.cpuMsEach ?? Number.NaN),
    ),
  ];
}

function costs(results: Results): Reach[] {
  const answerWith = (plugins: 'none' | 'all') =>
    results.pluginCost?.find((row) => row.plugins === plugins)?.toLastByte.median ?? Number.NaN;
  const { waitingQuestions = [], waitingSockets = [], counts, streamCost = [] } = results;
  const { wireResults = [], predicates = [] } = results;
  const sockets = (server: string) =>
    waitingSockets.findLast((row) => row.server === server)?.rssBytesEach ?? Number.NaN;
  const perSecond = (name: string) =>
    streamCost.find(({ contestant }) => contestant === name)?.deltasPerSecond ?? Number.NaN;
  const received = (name: string) =>
    wireResults.find(({ wire, megabytes }) => wire === name && megabytes === 4)?.bytes ?? Number.NaN;
  const predicate = predicates.filter(
    ({ predicate, parts }) => predicate === 'countersign/bidi' && parts === 10_000,
  );
  return [
    atMost('answer with all plugins / with none', 1.1, answerWith('all') / answerWith('none')),
    atMost('SQL statements per answer, no plugin', 16, counts?.sse.statementsPerAnswer ?? Number.NaN),
    atMost('Postgres queries per flow', 8, counts?.postgresQueries.flow ?? Number.NaN),
    atMost('durable writes per flow', 8, counts?.sse.durableWritesPerFlow ?? Number.NaN),
    atMost('stored bytes per finished flow', 8 * 1_024, counts?.storedBytesPerFlow ?? Number.NaN),
    atMost(
      'heap bytes per open question, no one connected',
      700,
      most(waitingQuestions.map(({ heapBytesEach }) => heapBytesEach)),
    ),
    atMost(
      'memory bytes per idle socket, less a bare one',
      6_000,
      sockets('Countersign BIDI') - sockets('bare ws'),
    ),
    atMost(
      'BIDI predicate at 10,000 parts, µs',
      15,
      most(predicate.map(({ nanoseconds }) => nanoseconds / 1_000)),
    ),
    atMost(
      'Responses, result of 4 MB: bytes received / UI stream',
      2.1,
      received('Responses') / received('UI stream (SSE)'),
    ),
    atLeast(
      'stream throughput, the slower of SSE and BIDI / bare streamText',
      0.8,
      Math.min(perSecond('Countersign SSE'), perSecond('Countersign BIDI')) / perSecond('bare streamText'),
    ),
  ];
}

function lengths({ growth = [], scale = [], lifecycleDelay = [], resultDelay = [] }: Results): Reach[] {
  const [short, long] = [10, 10_000].map((messages) => growth.find((row) => row.messages === messages));
  const busy = lifecycleDelay.filter(({ busyRuns }) => busyRuns > 0).map(({ p99 }) => p99);
  return [
    atMost(
      'answer at 10,000 / 10 messages',
      1.2,
      (long?.answer ?? Number.NaN) / (short?.answer ?? Number.NaN),
    ),
    atMost(
      'model step at 10,000 messages / bare step',
      1.1,
      (long?.modelStep ?? Number.NaN) / (long?.floorModelStep ?? Number.NaN),
    ),
    atMost(
      'answer beside 1,000,000 / 1,000 chats, Postgres',
      1.2,
      (scale.at(-1)?.answer.median ?? Number.NaN) / (scale[0]?.answer.median ?? Number.NaN),
    ),
    atMost('lifecycle p99 under load, ms', 50, most(busy)),
    atMost('delay of other streams by a result of 4 MB, ms', 30, most(resultDelay.map(({ added }) => added))),
  ];
}

function pages({ pages = [] }: Results): Reach[] {
  const of = (name: string) => pages.find(({ page }) => page === name);
  const kilobytes = [
    ['/chats/x', 190],
    ['/inbox', 165],
    ['/', 145],
  ] as const;
  return [
    ...kilobytes.map(([name, limit]) =>
      atMost(`JavaScript of ${name}, kB sent`, limit, of(name)?.scriptKb ?? Number.NaN),
    ),
    atMost(
      'largest paint of a page, ms',
      2_000,
      most(kilobytes.map(([name]) => of(name)?.largestPaint ?? Number.NaN)),
    ),
    atMost('Approve usable, ms', 3_000, of('/chats/x')?.usable ?? Number.NaN),
    atMost(
      'layout shift of a page',
      0.01,
      most(pages.flatMap(({ layoutShift }) => (Number.isFinite(layoutShift) ? layoutShift : []))),
    ),
  ];
}

/** Of installations that followed each other: the median of their differences. */
function packageCosts({ packageCosts: rows = [] }: Results): Reach[] {
  const [without, ours] = ['without Countersign', 'with Countersign'].map((name) =>
    rows.find(({ app }) => app === name),
  );
  if (without === undefined || ours === undefined) return [];
  const more = ours.installs.map((seconds, round) => seconds - (without.installs[round] ?? Number.NaN));
  return [
    atMost('installation beside `ai`, `next` and `react`, s more', 2, median(more)),
    atMost('type-check of a small app with all entry points, s', 9, median(ours.typeChecks)),
  ];
}

/** The largest of several sizes: a small difference of two large heaps can be negative. */
function most(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : Math.max(...values);
}
