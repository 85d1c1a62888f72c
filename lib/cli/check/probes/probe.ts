import type { Budget } from '../budget.ts';
import type { Found } from '../rules/finding.ts';
import type { ChatClient } from '../turns/chat-client.ts';
import type { Recorder } from '../turns/recorder.ts';
import type { Turn } from '../turns/turn.ts';
import type { Wire } from '../wire/wire.ts';
import type { PaymentBook } from './demo-payments.ts';

/** What a probe works with. */
export type Stage = {
  readonly wire: Wire;
  readonly recorder: Recorder;
  readonly budget: Budget;
  /** Present if the backend is the reference app. */
  readonly book: PaymentBook | undefined;
  /** A complete turn that asked and was approved throughout. */
  readonly approved: Turn;
  /** Whether all turns followed the timing rules. If not, comparisons with them may differ for that reason. */
  readonly sound: boolean;
  /** A chat with an open question. Probes do not answer it; each works on a copy. */
  readonly open: ChatClient;
};

/** What a probe observed. */
export type Sight = Omit<Found, 'rule' | 'title' | 'rank'>;

/** An additional test of a backend, besides the normal turns. */
export type Probe = Pick<Found, 'rule' | 'title' | 'rank'> & {
  /** @throws BudgetSpent */
  readonly run: (stage: Stage) => Promise<Sight>;
};
