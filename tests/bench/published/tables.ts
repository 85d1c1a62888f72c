import { concurrencies } from '../durable-flows.ts';
import type { Reach } from '../reach.ts';
import { median } from '../support/distribution.ts';
import type { Results } from '../support/results.ts';
import { shownSpread } from '../support/spread.ts';

/** A whole run of the bench, as it is kept in docs/performance.json. */
export type PublishedRun = Results & {
  /** ISO 8601. */
  readonly at: string;
  /** What was measured. */
  readonly commit: string;
  readonly machine: {
    readonly node: string;
    readonly system: string;
    readonly processor: string;
    readonly cores: number;
    readonly memoryGiB: number;
  };
  readonly reach: readonly Reach[];
};

/** Every table that a document shows of a run, in Markdown, by the name in the document's marks. */
export function tablesOf(run: PublishedRun): Readonly<Record<string, string>> {
  return {
    run: runLine(run),
    targets: table(
      ['', 'target', 'measured'],
      run.reach.map(({ what, target, measured, isMet }) => [
        what,
        target,
        isMet ? shown(measured) : `**${shown(measured)}**`,
      ]),
    ),
    'round-trip': table(
      ['', 'messages', 'next question', 'p99', 'final response, last byte', 'p99'],
      (run.answerRoundTrip ?? [])
        .filter(({ messages }) => messages !== 100)
        .map(({ contestant, messages, toQuestion, toLastByte }) => [
          contestant,
          messages.toLocaleString('en'),
          ...[toQuestion.median, toQuestion.p99, toLastByte.median, toLastByte.p99].map(shown),
        ]),
    ),
    flows: table(
      [
        '',
        `flows per second at ${concurrencies.join(' / ')}`,
        'CPU ms per flow at 16',
        'same answer sent twice concurrently: ran twice',
        'sent again later: ran again',
        'one of two parallel calls answered alone: correct',
      ],
      (run.durableFlows ?? []).map(({ name, perSecond, cpuMsEach, correctness: is }) => [
        name,
        concurrencies.map((at) => Math.round(perSecond[at] ?? Number.NaN)).join(' / '),
        shown(cpuMsEach),
        ...(is
          ? [is.ranTwiceAtOnce, is.ranAgainLater, is.answeredAlone].map((count) => `${count} of ${is.trials}`)
          : ['', '', '']),
      ]),
    ),
    stages: table(
      ['stage', 'ms', '%'],
      (run.answerStages ?? []).map(({ stage, ms, share }) => [stage, shown(ms), String(share)]),
    ),
    counts: table(
      ['', 'SSE', 'BIDI'],
      run.counts
        ? [
            ...(
              [
                ['statements per answer', 'statementsPerAnswer'],
                ['durable writes per answer', 'durableWritesPerAnswer'],
                ['body or frame of an answer, bytes', 'bytesPerAnswer'],
                ['appends per turn', 'appendsPerTurn'],
                ['events per turn', 'eventsPerTurn'],
                ['durable writes per flow', 'durableWritesPerFlow'],
              ] as const
            ).map(([what, key]) => [
              what,
              ...[run.counts?.sse, run.counts?.bidi].map((of) => shown(of?.[key] ?? Number.NaN)),
            ]),
          ]
        : [],
    ),
    pages: table(
      ['', 'JavaScript, kB', 'largest paint, s', 'Approve usable, s', 'layout shift'],
      (run.pages ?? []).map(({ page, scriptKb, largestPaint, usable, layoutShift }) => [
        page,
        shownIfMeasured(scriptKb),
        shownIfMeasured(largestPaint, 1_000),
        shownIfMeasured(usable, 1_000),
        shownIfMeasured(layoutShift),
      ]),
    ),
    package: table(
      ['', 'packages', 'files', 'npm install, s', 'tsc, s'],
      (run.packageCosts ?? []).map(({ app, packages, files, installs, typeChecks }) => [
        app,
        ...[packages, files, median(installs), median(typeChecks)].map(shown),
      ]),
    ),
    crowd: table(
      ['feeds of others', 'of users', 'turn, ms', 'p99, ms', 'times a turn without feeds'],
      (run.crowd ?? []).map(({ feeds, users, turn, ratio }) =>
        [feeds, users, turn.median, turn.p99, ratio].map(shown),
      ),
    ),
    lists: table(
      ['first page of the chats of a person with', 'ms'],
      (run.chatLists ?? []).map(({ store, chats, listMs }) => [
        `${chats.toLocaleString('en')} chats, ${store}`,
        shown(listMs),
      ]),
    ),
    reports: table(
      ['report on 30 days', 'ms', 'to count one question, once, ms'],
      (run.reports ?? []).map(({ store, questions, reportMs, countMsEach }) => [
        `${questions.toLocaleString('en')} answers, ${store}`,
        ...[reportMs, countMsEach].map(shown),
      ]),
    ),
    'wire-results': table(
      ['', 'result', 'CPU ms', 'ratio', 'peak memory, MB', 'ratio', 'received, MB'],
      (run.wireResults ?? []).map((row) => [
        row.wire,
        `${row.megabytes} MB, ${row.sent}`,
        shown(row.cpuMs),
        shownSpread(row.cpuRatio),
        shown(row.memoryPeak / 1e6),
        shownSpread(row.memoryRatio),
        shown(row.bytes / 1e6),
      ]),
    ),
    'wire-readers': table(
      [
        '',
        'rate reached',
        'CPU, s per second',
        'per frame and reader, µs',
        'ratio',
        'delay, ms: median, p99',
      ],
      (run.wireReaders ?? []).map((row) => [
        row.wire,
        `${Math.round(row.rateReached * 100)}%`,
        shown(row.cpuPerSecond),
        shown(row.cpuMicrosEach),
        shownSpread(row.cpuRatio),
        `${shown(row.delay.median)}, ${shown(row.delay.p99)}`,
      ]),
    ),
    'wire-slow-readers': table(
      ['', 'memory for each, kB', 'ratio', 'delay of the others, ms: median, p99', 'p99, ratio'],
      (run.wireSlowReaders ?? []).map((row) => [
        row.wire,
        shown(row.memoryEach / 1e3),
        shownSpread(row.memoryRatio),
        `${shown(row.delay.median)}, ${shown(row.delay.p99)}`,
        shownSpread(row.p99Ratio),
      ]),
    ),
    contestants: table(
      [
        '',
        'flows per second, 16 concurrent',
        'double executions after the same answer came twice, concurrently',
      ],
      (run.durableFlows ?? []).flatMap(({ name, perSecond, correctness: is }) =>
        is
          ? [[name, String(Math.round(perSecond[16] ?? Number.NaN)), `${is.ranTwiceAtOnce} of ${is.trials}`]]
          : [],
      ),
    ),
  };
}

function runLine({ at, commit, machine }: PublishedRun): string {
  const { node, system, processor, cores, memoryGiB } = machine;
  return `Measured on ${at.slice(0, 10)} at ${commit.slice(0, 8)}: Node ${node.slice(1)}, ${system}, ${cores} cores (${processor}), ${memoryGiB} GiB.`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** What was not measured is `null` in the file of the run. */
function shownIfMeasured(value: number | null, unit = 1): string {
  return value !== null && Number.isFinite(value) ? shown(value / unit) : '';
}

/** Three significant digits, whole from 100 on. */
function shown(value: number): string {
  const rounded = Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  return rounded.toLocaleString('en', { maximumSignificantDigits: 12 });
}
