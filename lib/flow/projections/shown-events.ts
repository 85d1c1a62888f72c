import { type FlowEvent, redact, type Secrets, type ToolCallId } from '../../vocabulary/index.ts';

/**
 * The log as people may read it: inputs and outputs that a tool keeps secret are redacted, and so is what the
 * model was told of them.
 */
export function shownEvents(events: readonly FlowEvent[]): FlowEvent[] {
  const secrets = new Map<ToolCallId, Secrets>();
  return events.map((event): FlowEvent => {
    if (event.type === 'tool-requested' && event.secrets) secrets.set(event.toolCallId, event.secrets);
    const secret = 'toolCallId' in event ? secrets.get(event.toolCallId) : undefined;
    switch (event.type) {
      case 'step-finished':
        // The messages repeat each call's input; the calls themselves are told by their own events.
        return { ...event, messages: [] };
      case 'tool-requested':
      case 'tool-started':
        return secret ? { ...event, input: redact(event.input, secret.input) } : event;
      case 'approval-answered':
        return secret && event.input !== undefined
          ? { ...event, input: redact(event.input, secret.input) }
          : event;
      case 'tool-progressed':
        return secret?.output && event.output !== undefined
          ? { ...event, output: redact(event.output, secret.output) }
          : event;
      case 'tool-completed':
        return secret?.output
          ? {
              ...event,
              output: redact(event.output, secret.output),
              modelOutput: { type: 'text', value: '' },
            }
          : event;
      default:
        return event;
    }
  });
}
