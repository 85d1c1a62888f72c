import { lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai';
import * as bidi from 'countersign/bidi';
import * as sse from 'countersign/sse';
import { inTurns } from './support/in-turns.ts';

/** One row of the table: nanoseconds per call, of the fastest round: whatever disturbs a round only adds to it. */
export type PredicateCost = {
  readonly predicate: string;
  readonly parts: number;
  readonly answer: 'sends' | 'waits';
  readonly nanoseconds: number;
};

type Predicate = (options: { messages: UIMessage[] }) => boolean;

const predicates: readonly { readonly name: string; readonly call: Predicate }[] = [
  { name: 'countersign/sse', call: sse.sendAutomaticallyWhen },
  { name: 'countersign/bidi', call: bidi.sendAutomaticallyWhen },
  { name: "the SDK's own", call: lastAssistantMessageIsCompleteWithApprovalResponses },
];

/** A predicate is called at each chunk that a page takes: its cost on messages of 10, 1,000 and 10,000 parts. */
export function predicateCosts(options: {
  readonly rounds: number;
  readonly roundMs: number;
}): PredicateCost[] {
  return [10, 1_000, 10_000].flatMap((parts) =>
    (['sends', 'waits'] as const).flatMap((answer) => {
      const messages = [messageOf(parts, answer === 'sends')];
      const measured = predicates.map((predicate) => ({ ...predicate, times: [] as number[] }));
      for (const { call } of measured) nanosecondsPerCall(() => call({ messages }), options.roundMs);
      for (const { call, times } of inTurns(measured, options.rounds))
        times.push(nanosecondsPerCall(() => call({ messages }), options.roundMs));
      return measured.map(({ name, times }) => ({
        ...{ predicate: name, parts, answer },
        nanoseconds: Math.round(Math.min(...times)),
      }));
    }),
  );
}

/** Steps of a mark, a text and a settled call; the last one's call was just answered, or is still asked about. */
function messageOf(length: number, isAnswered: boolean): UIMessage {
  const parts: UIMessage['parts'] = [];
  while (parts.length < length - 2) {
    const place = parts.length % 3;
    if (place === 0) parts.push({ type: 'step-start' });
    else if (place === 1) parts.push({ type: 'text', text: 'One more.', state: 'done' });
    else parts.push({ ...call(parts.length), state: 'output-available', input: {}, output: 'done' });
  }
  parts.push({ type: 'step-start' });
  const asked = call(parts.length);
  const approval = { id: 'question' };
  parts.push(
    isAnswered
      ? { ...asked, state: 'approval-responded', input: {}, approval: { ...approval, approved: true } }
      : { ...asked, state: 'approval-requested', input: {}, approval },
  );
  return { id: 'message', role: 'assistant', parts };
}

function call(place: number) {
  return { type: 'tool-pay', toolCallId: `call-${place}` } as const;
}

function nanosecondsPerCall(work: () => boolean, ms: number): number {
  const start = process.hrtime.bigint();
  const until = start + BigInt(ms) * 1_000_000n;
  let calls = 0;
  let yes = 0;
  let now = start;
  while (now < until) {
    // The clock is read seldom, so that it does not count.
    for (let call = 0; call < 20; call += 1) if (work()) yes += 1;
    calls += 20;
    now = process.hrtime.bigint();
  }
  if (yes !== 0 && yes !== calls) throw new Error('A predicate changed its mind.');
  return Number(now - start) / calls;
}
