import type { ModelMessage } from 'ai';
import type { ToolCallId } from '../ids/ids.ts';

/** Token counts of one model step; `undefined` where the provider reports none. */
export type Usage = {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Of the input tokens, those read from the provider's cache. Absent for none, like the next two. */
  readonly cachedInputTokens?: number;
  /** Of the input tokens, those written to the provider's cache. */
  readonly cacheWriteTokens?: number;
  /** Of the output tokens, those of reasoning. */
  readonly reasoningTokens?: number;
};

/** A source that the model cited, or a file that it generated. */
export type Source =
  | { type: 'source-url'; sourceId: string; url: string; title?: string }
  | { type: 'source-document'; sourceId: string; mediaType: string; title: string; filename?: string }
  | { type: 'file' | 'reasoning-file'; url: string; mediaType: string };

type Delta = {
  textId: string;
  delta: string;
  /** How many calls of its step the model made before this block. On its first delta; absent for none. */
  afterCalls?: number;
};

/** What the model produces. */
export type StepEventBody =
  | { type: 'step-started'; step: number }
  | ({ type: 'text-delta' } & Delta)
  | ({ type: 'reasoning-delta' } & Delta)
  | { type: 'source-added'; source: Source }
  | {
      type: 'step-finished';
      step: number;
      /** The SDK's `response.messages`, without approval parts and tool messages. */
      messages: readonly ModelMessage[];
      finishReason: string;
      /** The text is a refusal by the model: it ended with `content-filter`, but the provider filtered nothing. */
      refused?: true;
      usage: Usage;
    }
  | {
      /** A finished model step of a subagent, in the log of the call that it works for. @source ADR 0035 */
      type: 'agent-step';
      toolCallId: ToolCallId;
      /** Counts from 0 within the call. */
      step: number;
      /** How long the model took. */
      durationMs?: number;
      /** The subagent's user message. Present on its first step. */
      prompt?: string;
      messages: readonly ModelMessage[];
      finishReason: string;
      usage: Usage;
    };
