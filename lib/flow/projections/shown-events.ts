import {
  type EventOf,
  type FlowEvent,
  type ModelOutput,
  redact,
  redacted,
  type Secrets,
  type ToolCallId,
} from '../../vocabulary/index.ts';

/**
 * The log as people may read it: inputs and outputs that a tool keeps secret are redacted, and what the model was
 * told of them is left out.
 *
 * @source ADR 0011
 */
export function shownEvents(events: readonly FlowEvent[]): FlowEvent[] {
  const secrets = new Map<ToolCallId, Secrets>();
  return events.map((event): FlowEvent => {
    if (event.type === 'tool-requested' && event.secrets) secrets.set(event.toolCallId, event.secrets);
    if (event.type === 'step-finished') {
      // The messages repeat each call's input; the calls themselves are told by their own events.
      return { ...event, messages: [] };
    }
    const secret = 'toolCallId' in event ? secrets.get(event.toolCallId) : undefined;
    if (event.type === 'approval-answered') return shownAnswer(event, secret);
    return secret ? shownEvent(event, secret) : event;
  });
}

/** The key of what is remembered stands for the whole arguments: with it, secret ones could be guessed. */
function shownAnswer({ remembered, ...event }: EventOf<'approval-answered'>, secret?: Secrets): FlowEvent {
  return {
    ...event,
    ...(event.input !== undefined && { input: redact(event.input, secret?.input) }),
    ...(remembered && { remembered: { ...remembered, key: redacted } }),
  };
}

function shownEvent(event: FlowEvent, secret: Secrets): FlowEvent {
  switch (event.type) {
    case 'tool-requested':
    case 'tool-started':
      return { ...event, input: redact(event.input, secret.input) };
    case 'tool-progressed':
      return event.output === undefined ? event : { ...event, output: redact(event.output, secret.output) };
    case 'tool-completed':
      return { ...event, output: redact(event.output, secret.output), modelOutput: told(redacted) };
    case 'tool-failed':
      return { ...event, modelOutput: { type: 'error-text', value: event.error } };
    case 'tool-denied':
      return { ...event, modelOutput: { type: 'execution-denied', reason: event.reason } };
    default:
      return event;
  }
}

function told(value: string): ModelOutput {
  return { type: 'text', value };
}
