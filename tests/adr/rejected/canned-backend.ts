import { denial, finalResponse, output, questionResponse, sseResponse, text } from 'countersign/testing';
import { type Served, serve } from '../../../lib/testing/server/serve.ts';

/** Not ours: a backend that reads nothing and returns one canned response after another. It is meant to break T2. */
export function cannedBackend(): Promise<Served> {
  const alice = { id: 'a', tool: 'pay', input: { to: 'Alice', amount: 30 } };
  const bob = { id: 'b', tool: 'pay', input: { to: 'Bob', amount: 40 } };
  const early = questionResponse(bob).toSpliced(2, 0, ...text('The first one is settled.'));
  const canned = [
    questionResponse(alice),
    early,
    finalResponse({ texts: ['Done.'], outcomes: [output('a'), denial('b')] }),
  ];
  let requests = 0;
  return serve({
    fetch: () => sseResponse(canned[Math.min(requests++, canned.length - 1)] ?? []),
  });
}
