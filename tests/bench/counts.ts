import type { FlowCounts } from './support/count-flow.ts';
import { startWorker } from './support/worker-process.ts';

/** What one flow costs, counted. */
export type Counts = {
  readonly sse: FlowCounts;
  readonly bidi: FlowCounts;
  readonly storedBytesPerFlow: number;
  readonly postgresQueries: { readonly answer: number; readonly flow: number };
};

/** Counts need no repetition: they are the same each time, and tests/contract/counts.test.ts holds them. */
export async function countCosts(options: {
  readonly connectionString: string;
  readonly storedFlows: number;
}): Promise<Counts> {
  const worker = startWorker('workers/counts.ts');
  const counts = {
    sse: await worker.ask<FlowCounts>('countFlow', 'sse'),
    bidi: await worker.ask<FlowCounts>('countFlow', 'bidi'),
    storedBytesPerFlow: await worker.ask<number>('storedBytesPerFlow', options.storedFlows),
    postgresQueries: await worker.ask<Counts['postgresQueries']>('postgresQueries', options.connectionString),
  };
  await worker.stop();
  return counts;
}
