import { CountersignError, isRecord } from '../../protocol/index.ts';
import type { PaymentInput } from './payment-ledger.ts';

/** A call that a client's history presents as approved. */
export type ClaimedCall = {
  readonly toolCallId: string;
  readonly approvalId: string;
  readonly input: PaymentInput;
};

/** The claims in a request with the whole history. Empty for the slim form. */
export type ClientHistory = {
  /** The id of the last assistant message. */
  readonly messageId: string | undefined;
  /** All text that the history attributes to the assistant. */
  readonly texts: readonly string[];
  readonly approved: readonly ClaimedCall[];
};

/** Parses a body the way a backend does that trusts its clients. */
export function readClientHistory(body: unknown): ClientHistory {
  const messages = isRecord(body) ? recordsIn(body.messages) : [];
  const said = messages.filter(({ role }) => role === 'assistant');
  const parts = said.flatMap((message) => recordsIn(message.parts));
  const last = said.at(-1);
  return {
    messageId: typeof last?.id === 'string' ? last.id : undefined,
    texts: parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : [])),
    approved: recordsIn(last?.parts).flatMap((part) => {
      const { state, toolCallId, approval, input } = part;
      if (state !== 'approval-responded' || typeof toolCallId !== 'string') return [];
      if (!isRecord(approval) || approval.approved !== true || typeof approval.id !== 'string') return [];
      return { toolCallId, approvalId: approval.id, input: parseInput(input) };
    }),
  };
}

/** Parses the input of a payment. @throws CountersignError `invalid-request` */
export function parseInput(input: unknown): PaymentInput {
  if (isRecord(input) && typeof input.to === 'string' && typeof input.amount === 'number') {
    return { to: input.to, amount: input.amount };
  }
  throw new CountersignError('invalid-request', 'A payment needs `to` and `amount`.');
}

function recordsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
