import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { systemClock } from '../../protocol/clock/system-clock.ts';
import type { Clock } from '../../protocol/index.ts';
import { contentOf } from './content-of-stream.ts';
import { playScriptedStep } from './play-scripted-step.ts';
import { endOf, type Script, type ScriptedStep, stepFor } from './scripted-step.ts';

/** A model that plays a script and records its calls. */
export type ScriptedModel = LanguageModelV4 & {
  /** The options of each call so far, in order. */
  readonly calls: readonly LanguageModelV4CallOptions[];
};

/**
 * A language model that plays a script: one step per call.
 *
 * @param script a list of steps, or a function from the call's options and its number (from 0) to a step
 * @param settings.clock measures `delayMs`; use a fake clock in tests. Default: the system clock
 * @returns a model for `streamText`, `generateText` or a flow; its calls reject when the script has no more steps,
 * when the step contains a `reject`, or with the abort signal's reason
 */
export function scriptedModel(
  script: Script,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): ScriptedModel {
  const calls: LanguageModelV4CallOptions[] = [];

  async function take(options: LanguageModelV4CallOptions): Promise<{ step: ScriptedStep; number: number }> {
    options.abortSignal?.throwIfAborted();
    const number = calls.push(options) - 1;
    const step = await stepFor(script, options, number);
    for (const part of step) if ('reject' in part) throw part.reject;
    return { step, number };
  }

  return {
    specificationVersion: 'v4',
    provider: 'countersign.testing',
    modelId: 'scripted',
    supportedUrls: {},
    calls,

    async doStream(options) {
      const { step, number } = await take(options);
      return { stream: streamOf(step, number, clock, options.abortSignal) };
    },

    async doGenerate(options) {
      const { step, number } = await take(options);
      const content = await contentOf(streamOf(step, number, clock, options.abortSignal));
      const { finishReason, raw, usage } = endOf(step);
      if (finishReason === 'never') throw new Error('The model ended without a finish reason.');
      return { content, finishReason: { unified: finishReason, raw }, usage, warnings: [] };
    },
  };
}

/** One step as a stream. Cancelling it ends the step, also during a `wait`. */
function streamOf(
  step: ScriptedStep,
  stepNumber: number,
  clock: Clock,
  abortSignal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  const cancelled = new AbortController();
  const signals = abortSignal ? [abortSignal, cancelled.signal] : [cancelled.signal];
  const signal = AbortSignal.any(signals);
  const parts = playScriptedStep(step, stepNumber, { signal, clock });
  return new ReadableStream({
    start(controller) {
      // A waiting reader must learn of the abort immediately, not with the next part.
      const onAbort = () => controller.error(abortSignal?.reason);
      abortSignal?.addEventListener('abort', onAbort, { once: true, signal: cancelled.signal });
    },
    async pull(controller) {
      const next = await parts.next();
      if (signal.aborted) return;
      if (next.done) {
        controller.close();
        cancelled.abort();
      } else controller.enqueue(next.value);
    },
    cancel(reason) {
      cancelled.abort(reason);
    },
  });
}
