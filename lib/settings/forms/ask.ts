import type { FlexibleSchema } from '@ai-sdk/provider-utils';
import type { JsonValue } from '../../protocol/index.ts';

/** What a running call asks the person. */
export type CallQuestion<Content = Readonly<Record<string, JsonValue>>> = {
  /** One or two sentences, at most 2,000 characters: the headline of the card. */
  readonly message: string;
  /**
   * What the person fills in: an object whose fields are strings, numbers, booleans, choices, or lists of choices. Its
   * JSON Schema may have 10,000 characters. Default: no fields, so the person only accepts or declines.
   */
  readonly schema?: FlexibleSchema<Content>;
};

/**
 * A person's answer to a running call, as MCP words it. `cancel`: nobody answered, because the question was withdrawn. Treat
 * it as a refusal.
 */
export type CallAnswer<Content = Readonly<Record<string, JsonValue>>> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline'; readonly reason?: string }
  | { readonly action: 'cancel' };

/**
 * Asks the person something while the call runs, as a question of the chat. The call waits for the answer in this process:
 * after a crash, the question is withdrawn, and the outcome of the call is unknown.
 *
 * @throws CountersignError `invalid-request` if the tool is not declared with `mayAsk`, if the message is too long, or if
 *   the schema has other fields
 * @source ADR 0037
 */
export type Ask = <Content = Readonly<Record<string, JsonValue>>>(
  question: CallQuestion<Content>,
) => Promise<CallAnswer<Content>>;
