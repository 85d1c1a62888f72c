import { randomUUID } from 'node:crypto';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { delay } from '@ai-sdk/provider-utils';
import { nextStep } from './script.ts';
import type { ProviderStep } from './step-parts.ts';
import { partsOf, providerStep } from './step-parts.ts';
import { readTurn } from './turn.ts';

/** `delayMs` is the pause before each text delta. `createCallId` must return a new id every time. */
export type DemoModelSettings = { readonly delayMs?: number; readonly createCallId?: () => string };

function offeredTools({ tools = [], toolChoice }: LanguageModelV4CallOptions): ReadonlySet<string> {
  return new Set(toolChoice?.type === 'none' ? [] : tools.map(({ name }) => name));
}

/** Parts are created on demand, so a reader that disconnects or aborts also ends the pauses. */
function streamOf(
  step: ProviderStep,
  delayMs: number,
  abortSignal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  const parts = partsOf(step);
  const cancelled = new AbortController();
  const signal = abortSignal ? AbortSignal.any([abortSignal, cancelled.signal]) : cancelled.signal;
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      pull: async (controller) => {
        signal.throwIfAborted();
        const { value, done } = parts.next();
        if (done) return controller.close();
        if (value.type === 'text-delta' && delayMs > 0) await delay(delayMs, { abortSignal: signal });
        controller.enqueue(value);
      },
      cancel: () => cancelled.abort(),
    },
    { highWaterMark: 0 },
  );
}

/**
 * A scripted model that needs no key and no network. It follows the demo's table of prompts: the last user message
 * selects the scene, and the results after it determine the next step.
 *
 * @source H-Demo
 */
export function demoModel({
  delayMs = 0,
  createCallId = () => `call_${randomUUID()}`,
}: DemoModelSettings = {}): LanguageModelV4 {
  const play = (options: LanguageModelV4CallOptions): ProviderStep =>
    providerStep(nextStep(readTurn(options.prompt), offeredTools(options)), options.prompt, createCallId);

  return {
    specificationVersion: 'v4',
    provider: 'countersign',
    modelId: 'demo',
    supportedUrls: {},
    doStream: async (options) => {
      options.abortSignal?.throwIfAborted();
      return { stream: streamOf(play(options), delayMs, options.abortSignal) };
    },
    doGenerate: async (options) => {
      options.abortSignal?.throwIfAborted();
      const { text, calls, finishReason, usage } = play(options);
      return {
        content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls],
        finishReason,
        usage,
        warnings: [],
      };
    },
  };
}
