import type { ModelMessage } from 'ai';

/** Token counts of one model step; `undefined` where the provider reports none. */
export type Usage = { readonly inputTokens?: number; readonly outputTokens?: number };

/** A source that the model cited, or a file that it generated. */
export type Source =
  | { type: 'source-url'; sourceId: string; url: string; title?: string }
  | { type: 'source-document'; sourceId: string; mediaType: string; title: string; filename?: string }
  | { type: 'file' | 'reasoning-file'; url: string; mediaType: string };

/** What the model produces. */
export type StepEventBody =
  | { type: 'step-started'; step: number }
  | { type: 'text-delta'; textId: string; delta: string }
  | { type: 'reasoning-delta'; textId: string; delta: string }
  | { type: 'source-added'; source: Source }
  | {
      type: 'step-finished';
      step: number;
      /** The SDK's `response.messages`, without approval parts and tool messages. */
      messages: readonly ModelMessage[];
      finishReason: string;
      usage: Usage;
    };
