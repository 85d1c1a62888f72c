import type { Part } from '../support/part.ts';
import { printTable } from '../support/report.ts';
import { shownSpread } from '../support/spread.ts';
import { largeResults } from './large-results.ts';
import { manyReaders } from './many-readers.ts';
import { slowReaders } from './slow-readers.ts';

const ratio = 'ratio to the UI stream';

/** The measures of every wire beside the UI stream. */
export const wireParts: readonly Part[] = [
  {
    name: 'wire-results',
    async measure(results, sizes) {
      results.wireResults = await largeResults(sizes.wireResults);
      printTable(
        'Wires: a large result, from the end of the tool to the last byte (by reference: the stream, then the fetch)',
        results.wireResults.map(({ wire, megabytes, sent, ...row }) => ({
          ...{ wire, MB: megabytes, sent, ms: row.toLastByte },
          [`ms, ${ratio}`]: shownSpread(row.timeRatio),
          'CPU ms': row.cpuMs,
          [`CPU, ${ratio}`]: shownSpread(row.cpuRatio),
          'MB received': row.bytes / 1e6,
          'peak memory, MB': row.memoryPeak / 1e6,
          [`memory, ${ratio}`]: shownSpread(row.memoryRatio),
        })),
      );
    },
  },
  {
    name: 'wire-readers',
    async measure(results, sizes) {
      results.wireReaders = await manyReaders(sizes.wireReaders);
      printTable(
        'Wires: 100 frames a second to the readers of one chat; each got every frame once, in order',
        results.wireReaders.map(({ wire, readers, delay, ...row }) => ({
          ...{ wire, readers },
          'rate reached': `${Math.round(row.rateReached * 100)} %`,
          'CPU s a second': row.cpuPerSecond,
          'CPU µs a frame and reader': row.cpuMicrosEach,
          [`CPU, ${ratio}`]: shownSpread(row.cpuRatio),
          'delay ms': delay.median,
          p99: delay.p99,
          [`p99, ${ratio}`]: shownSpread(row.p99Ratio),
        })),
      );
    },
  },
  {
    name: 'wire-slow-readers',
    async measure(results, sizes) {
      results.wireSlowReaders = await slowReaders(sizes.wireSlowReaders);
      printTable(
        'Wires: readers that stop reading, beside as many that go on at 100 frames a second',
        results.wireSlowReaders.map(({ wire, stalled, delay, ...row }) => ({
          ...{ wire, 'stopped, of as many more': stalled },
          'memory each, kB': row.memoryEach / 1e3,
          [`memory, ${ratio}`]: shownSpread(row.memoryRatio),
          'delay of the others, ms': delay.median,
          p99: delay.p99,
          [`p99, ${ratio}`]: shownSpread(row.p99Ratio),
        })),
      );
    },
  },
];
