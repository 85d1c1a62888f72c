import type { StepEventBody } from '../../protocol/events/step-events.ts';
import type { Step } from '../turn/turn.ts';
import { asWritten, type EventRows, none, ofCall, unrecorded } from './event-row.ts';

/** What the model produces. */
export const stepRows: EventRows<StepEventBody> = {
  'step-started': {
    ...unrecorded,
    redact: asWritten,
    fold({ steps }, { step }) {
      // A step that is started again after a take-over replaces its unfinished first try.
      if (steps.at(-1)?.step === step) steps.pop();
      steps.push({ step, partial: [] });
    },
  },
  'text-delta': {
    ...unrecorded,
    redact: asWritten,
    fold: ({ steps }, { textId, delta }) => addText(steps.at(-1), textId, delta),
    isForReaders: true,
  },
  'reasoning-delta': { ...unrecorded, redact: asWritten, fold: none, isForReaders: true },
  'source-added': { ...unrecorded, redact: asWritten, fold: none, isForReaders: true },
  'step-finished': {
    ...unrecorded,
    // The model's messages repeat each call's input, which the calls' own events have.
    redact: (event) => ({ ...event, messages: [] }),
    fold({ steps }, event) {
      // A step that was imported did not start here.
      if (steps.at(-1)?.step !== event.step) steps.push({ step: event.step, partial: [] });
      const step = steps.at(-1);
      if (step) {
        step.finished = event;
        step.partial = [];
      }
    },
  },
  'agent-step': {
    ...unrecorded,
    // The subagent's prompt is made from its call's input.
    redact: ({ prompt: _prompt, ...event }) => ({ ...event, messages: [] }),
    fold: ofCall((call, event) => {
      const step = { step: event.step, finished: { ...event, type: 'step-finished' as const }, partial: [] };
      call.prompt ??= event.prompt;
      call.agentSteps = [...(call.agentSteps ?? []), step];
    }),
  },
};

function addText(step: Step | undefined, textId: string, delta: string): void {
  const block = step?.partial.at(-1);
  if (block?.textId === textId) block.text += delta;
  else step?.partial.push({ textId, text: delta });
}
