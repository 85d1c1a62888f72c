import type { JsonObject, JsonValue } from '../../protocol/index.ts';

/** What a call asks, checked. `form`: the JSON Schema of the content. */
export type PendingQuestion = { readonly message: string; readonly form: JsonObject };

/** How a question of a call was settled. */
export type Settled =
  | { readonly action: 'accept'; readonly content: JsonValue }
  | { readonly action: 'decline'; readonly reason?: string }
  | { readonly action: 'cancel' };
