import type { UIMessageChunk } from 'ai';
import type { ChatRequest } from '../../server/chat-request.ts';
import type { TimingRule } from '../response-timing/violation.ts';
import type { PaymentLedger } from './payment-ledger.ts';

/** A call that a question is about. */
export type AskedCall = { readonly toolCallId: string; readonly input: unknown };

/** One request for a response, before the backend answers it. */
export type Exchange = {
  readonly request: ChatRequest;
  /** The complete body, including the history. */
  readonly body: unknown;
  /** The responses of this turn so far, oldest first, as they were sent. A user message starts a turn. */
  readonly turn: readonly (readonly UIMessageChunk[])[];
  /** Whether it contains answers, all of which were given before. */
  readonly isRepeated: boolean;
  /** For a repeated answer: the responses of the turn sent since it was first given, oldest first. */
  readonly sentSince: readonly (readonly UIMessageChunk[])[];
  /** Every question asked in this chat, by approval id. */
  readonly questions: ReadonlyMap<string, AskedCall>;
  readonly ledger: PaymentLedger;
};

/**
 * Returns what a correct backend answers, as chunks. Rejects with its refusal.
 *
 * @param request replaces the request that arrived
 */
export type Honest = (request?: ChatRequest) => Promise<UIMessageChunk[]>;

/** A backend fault: it breaks one rule on purpose. */
export type Misbehaviour = {
  /** Kebab-case, such as `result-too-early`. */
  readonly name: string;
  /** The only rule that it breaks. */
  readonly rule: TimingRule;
  /** What it does wrong, in one sentence. */
  readonly summary: string;
  /** The chunks of a response, derived from the correct ones. */
  respond(exchange: Exchange, honest: Honest): Promise<readonly UIMessageChunk[]>;
};
