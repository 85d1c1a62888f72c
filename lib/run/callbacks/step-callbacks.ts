import type { Turn } from '../../log/turn/turn.ts';
import type { CallbackName, Place } from '../../settings/call/callbacks.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { stepRecords } from '../step/step-records.ts';
import { type CalledBack, withFields } from './callbacks.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The author's callbacks of one step. The SDK sees one step, and tools without `execute`, so its data about both is
 * replaced.
 */
export function createStepCallbacks(
  { callbacks, settings, place }: { callbacks: CalledBack; settings: FlowSettings; place: Place },
  { step, turn, isFirst }: { step: number; turn: Turn; isFirst: boolean },
) {
  const { tools, timeout } = settings;
  const fields = { ...place, callId: place.runId };
  const hasStart = callbacks.has('onStepStart') || callbacks.has('onStepError');
  let started: (object & Place) | undefined;

  /** Absent callbacks stay absent, because the SDK does more work if one is set. */
  function on(name: CallbackName, more: () => Fields = () => ({})) {
    if (!callbacks.has(name)) return undefined;
    return (event: object) => callbacks.call(name, withFields(event, { ...fields, ...more() }));
  }

  return {
    settings: {
      onStart: isFirst ? on('onStart', () => ({ tools, timeout })) : undefined,
      onLanguageModelCallStart: on('onLanguageModelCallStart'),
      onLanguageModelCallEnd: on('onLanguageModelCallEnd'),
      onChunk: on('onChunk'),
      onStepStart: hasStart
        ? (event: object) => {
            const steps = stepRecords(turn, settings).filter((record) => record.stepNumber < step);
            started = withFields(event, { ...fields, stepNumber: step, steps, tools });
            callbacks.call('onStepStart', started);
          }
        : undefined,
    },

    ended: on('onStepEnd', () => ({ stepNumber: step })),

    /** The step has failed. Not for one that was stopped or took too long. */
    failed(error: unknown): void {
      if (started) callbacks.call('onStepError', { ...started, error });
      started = undefined;
    },
  };
}

export type StepObserver = ReturnType<typeof createStepCallbacks>;
