import type { Budget } from './budget.ts';
import type { ChatClient } from './chat-client.ts';
import type { PaymentBook } from './demo-payments.ts';
import type { Found } from './finding.ts';
import type { Recorder } from './recorder.ts';
import type { Turn } from './turn.ts';
import type { Wire } from './wire.ts';

/** What a probe has to work with. */
export type Stage = {
  readonly wire: Wire;
  readonly recorder: Recorder;
  readonly budget: Budget;
  /** Where the backend is the reference app. */
  readonly book: PaymentBook | undefined;
  /** A turn that asked, was approved throughout, and came to its end. */
  readonly approved: Turn;
  /** Whether all turns kept the timing rules; if not, what is compared with them may differ for that alone. */
  readonly sound: boolean;
  /** A chat whose question is open. No probe answers it; each works on a copy. */
  readonly open: ChatClient;
};

/** What a probe saw. */
export type Sight = Omit<Found, 'rule' | 'title'>;

/** Something tried on a backend, beside the turns that it is asked for. */
export type Probe = Pick<Found, 'rule' | 'title'> & {
  /** @throws BudgetSpent */
  readonly run: (stage: Stage) => Promise<Sight>;
};
