import { CountersignError, isRecord } from '../../protocol/index.ts';
import type { PaymentInput } from './payment-ledger.ts';

/** A call that the history of a client claims was approved. */
export type ClaimedCall = {
  readonly toolCallId: string;
  readonly approvalId: string;
  readonly input: PaymentInput;
};

/** What the whole-history form of a request claims. Empty for the slim form. */
export type ClientHistory = {
  /** The id of the last assistant message. */
  readonly messageId: string | undefined;
  /** All text that the assistant is claimed to have said. */
  readonly texts: readonly string[];
  readonly approved: readonly ClaimedCall[];
};

/** Reads a body as a backend does that believes its clients. */
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

/** The input of a payment. @throws CountersignError `invalid-request` */
export function parseInput(input: unknown): PaymentInput {
  if (isRecord(input) && typeof input.to === 'string' && typeof input.amount === 'number') {
    return { to: input.to, amount: input.amount };
  }
  throw new CountersignError('invalid-request', 'A payment says `to` whom, and which `amount`.');
}

function recordsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
