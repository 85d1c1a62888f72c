import type { ChatTransport, UIMessage } from 'ai';
import { isRecord, parseJson } from '../../../protocol/index.ts';
import type { Budget } from '../budget.ts';
import type { Refusal } from '../turns/exchange.ts';

/** A fault in a response's outer form, which the SDK's reader may tolerate. */
export type WireFault = { readonly status: 'fail' | 'differs'; readonly message: string };

/** The result of one malformed request. */
export type MalformedReply = {
  /** What was malformed, for example `a body that is not JSON`. */
  readonly what: string;
  readonly verdict: 'refused' | 'differs' | 'hangs';
  readonly reply: string;
};

/** A transport to a backend, with its particularities. Each has its own file. */
export type Wire = {
  readonly name: 'SSE' | 'BIDI';
  readonly address: string;
  /** The rule for the outer form of its requests and responses. */
  readonly formRule: 'H1' | 'H3';
  /** The SDK's own transport. */
  readonly transport: ChatTransport<UIMessage>;
  /** Extracts a refusal from the transport's error; `undefined` for any other error. */
  refusalOf(error: unknown): Refusal | undefined;
  /** The faults in the form of the responses since the last call. */
  takeFaults(): Promise<readonly WireFault[]>;
  /** Sends malformed requests. @throws BudgetSpent */
  sendMalformed(budget: Budget, chatId: string): Promise<readonly MalformedReply[]>;
  close(): void;
};

/** The code of this library's JSON error object, if a refusal contains one. */
export function errorCodeOf(text: string): string | undefined {
  const value = parseJson(text);
  const error = isRecord(value) && isRecord(value.error) ? value.error : {};
  return typeof error.code === 'string' ? error.code : undefined;
}
