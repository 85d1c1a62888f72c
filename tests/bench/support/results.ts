import type { AnswerRoundTrip } from '../answer-round-trip.ts';
import type { ClientCost } from '../client.ts';
import type { Counts } from '../counts.ts';
import type { Crowd } from '../crowd.ts';
import type { DurableFlows } from '../durable-flows.ts';
import type { Floor } from '../floors.ts';
import type { Growth } from '../growth.ts';
import type { LifecycleDelay } from '../lifecycle-delay.ts';
import type { LockWait } from '../lock-wait.ts';
import type { PredicateCost } from '../predicates.ts';
import type { ResultDelay } from '../result-delay.ts';
import type { StreamCost } from '../stream-cost.ts';
import type { WaitingQuestions, WaitingSockets } from '../waiting.ts';
import type { LargeResult } from '../wires/large-results.ts';
import type { ManyReaders } from '../wires/many-readers.ts';
import type { SlowReaders } from '../wires/slow-readers.ts';

/** Everything one run measured; a part that was left out is missing. */
export type Results = {
  floors?: readonly Floor[];
  counts?: Counts;
  answerRoundTrip?: readonly AnswerRoundTrip[];
  durableFlows?: readonly DurableFlows[];
  waitingQuestions?: readonly WaitingQuestions[];
  waitingSockets?: readonly WaitingSockets[];
  streamCost?: readonly StreamCost[];
  growth?: readonly Growth[];
  lifecycleDelay?: readonly LifecycleDelay[];
  resultDelay?: readonly ResultDelay[];
  crowd?: readonly Crowd[];
  lockWait?: readonly LockWait[];
  wireResults?: readonly LargeResult[];
  wireReaders?: readonly ManyReaders[];
  wireSlowReaders?: readonly SlowReaders[];
  predicates?: readonly PredicateCost[];
  client?: readonly ClientCost[];
};
