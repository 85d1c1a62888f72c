import type { ModelMessage } from 'ai';
import type { Call } from '../../log/turn/turn.ts';
import type { Place } from '../../settings/call/callbacks.ts';
import type { Attempt } from '../call/attempt.ts';
import type { CalledBack } from './callbacks.ts';

/**
 * The first callback follows `execute`: nothing may come between the last check of the lease and the call.
 *
 * @source ADR 0019, ADR 0029
 */
export function createToolCallbacks(parts: {
  readonly callbacks: CalledBack;
  readonly place: Place;
  readonly call: Call;
  readonly context: unknown;
  readonly messages: () => ModelMessage[];
  readonly now: () => number;
}) {
  const { callbacks, place, call, context, messages, now } = parts;
  const { toolCallId, toolName, dynamic = false } = call.requested;
  const isCalled = callbacks.has('onToolExecutionStart') || callbacks.has('onToolExecutionEnd');
  let begun: { readonly input: unknown; readonly at: number } | undefined;

  const eventOf = (input: unknown) => ({
    ...place,
    callId: place.runId,
    toolCall: { type: 'tool-call', toolCallId, toolName, input, dynamic: dynamic || undefined },
    toolContext: context,
  });

  /** Building a long transcript is costly, so it is built when the author reads it. */
  const withMessages = <Event extends object>(event: Event): Event =>
    Object.defineProperty(event, 'messages', { get: messages, enumerable: true });

  return {
    /** The tool is called in this synchronous block. */
    begin(input: unknown): void {
      if (!isCalled) return;
      begun = { input, at: now() };
      queueMicrotask(() => callbacks.call('onToolExecutionStart', withMessages(eventOf(input))));
    },

    end(attempt: Attempt): void {
      if (!begun || attempt.type === 'not-started' || attempt.type === 'paused') return;
      const { input, at } = begun;
      const of = { toolCallId, toolName, input, dynamic };
      const toolOutput =
        attempt.type === 'output'
          ? { type: 'tool-result', ...of, output: attempt.output }
          : { type: 'tool-error', ...of, error: errorOf(attempt) };
      const event = { ...eventOf(input), toolOutput, toolExecutionMs: now() - at };
      callbacks.call('onToolExecutionEnd', withMessages(event));
    },
  };
}

function errorOf(attempt: Extract<Attempt, { type: 'error' | 'abandoned' }>): unknown {
  if (attempt.type === 'error') return attempt.error;
  return attempt.why === 'stopped'
    ? new DOMException('The run was stopped, and the tool did not end in time.', 'AbortError')
    : new DOMException('The tool did not answer within its limit.', 'TimeoutError');
}
