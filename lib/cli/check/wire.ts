import type { ChatTransport, UIMessage } from 'ai';
import type { Budget } from './budget.ts';
import type { Refusal } from './exchange.ts';

/** Something about a response's outer form, which the SDK's reader may not mind. */
export type WireFault = { readonly status: 'fail' | 'differs'; readonly message: string };

/** What became of one malformed request. */
export type MalformedReply = {
  /** What was malformed, such as `a body that is not JSON`. */
  readonly what: string;
  readonly verdict: 'refused' | 'differs' | 'hangs';
  readonly reply: string;
};

/** One way of reaching a backend, with what is particular to it. Each has a file of its own. */
export type Wire = {
  readonly name: 'SSE' | 'BIDI';
  readonly address: string;
  /** The rule that the outer form of its requests and responses follows. */
  readonly formRule: 'H1' | 'H3';
  /** The SDK's own transport. */
  readonly transport: ChatTransport<UIMessage>;
  /** Reads a refusal out of what the transport threw; `undefined` for any other error. */
  refusalOf(error: unknown): Refusal | undefined;
  /** What was wrong with the form of the responses since it was last asked. */
  takeFaults(): Promise<readonly WireFault[]>;
  /** Sends what no client sends. @throws BudgetSpent */
  sendMalformed(budget: Budget, chatId: string): Promise<readonly MalformedReply[]>;
  close(): void;
};

/** A JSON error object of this library's servers, if that is what a refusal says. */
export function errorCodeOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('error' in value)) return undefined;
    const { error } = value;
    if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
    return typeof error.code === 'string' ? error.code : undefined;
  } catch {
    return undefined;
  }
}
