import type { UIMessageChunk } from 'ai';
import type { ChatRequest } from '../../server/requests/chat-request.ts';
import type { TimingRule } from '../response-timing/violation.ts';
import type { PaymentLedger } from './payment-ledger.ts';

/** A call that a question is about. */
export type AskedCall = { readonly toolCallId: string; readonly input: unknown };

/** One request for a response, as a backend sees it before it answers. */
export type Exchange = {
  readonly request: ChatRequest;
  /** The body as it came, history and all. */
  readonly body: unknown;
  /** The responses that this turn got so far, oldest first, as they were sent. A user message begins a turn. */
  readonly turn: readonly (readonly UIMessageChunk[])[];
  /** Whether it holds answers, and all of them were given before. */
  readonly isRepeated: boolean;
  /** Of a repeated answer: the responses of the turn that were sent since it was first given, oldest first. */
  readonly sentSince: readonly (readonly UIMessageChunk[])[];
  /** Every question that was asked in this chat, by its approval id. */
  readonly questions: ReadonlyMap<string, AskedCall>;
  readonly ledger: PaymentLedger;
};

/**
 * What an honest backend answers, as chunks. Rejects with its refusal.
 *
 * @param request another request than the one that came
 */
export type Honest = (request?: ChatRequest) => Promise<UIMessageChunk[]>;

/** A way to break one rule on purpose. */
export type Misbehaviour = {
  /** Kebab-case, such as `result-too-early`. */
  readonly name: string;
  /** The rule that it breaks, and the only one. */
  readonly rule: TimingRule;
  /** What is wrong with it, in a sentence. */
  readonly summary: string;
  /** The chunks of a response, made of what an honest backend would have sent. */
  respond(exchange: Exchange, honest: Honest): Promise<readonly UIMessageChunk[]>;
};
