import { redactParsed } from '../../log/redaction.ts';
import {
  type EventOf,
  type FlowEvent,
  type JsonValue,
  type ModelOutput,
  redact,
  redacted,
  type Secrets,
  type ToolCallId,
} from '../../protocol/index.ts';

/** What of a call must not be shown, and the arguments that it may be found in. */
type Hidden = { readonly secrets: Secrets; readonly input: JsonValue };

/**
 * The log as people may read it: inputs and outputs that a tool keeps secret are redacted, and what the model was
 * told of them is left out. So is everything of an asker but the name.
 *
 * @source ADR 0011, ADR 0015
 */
export function shownEvents(events: readonly FlowEvent[]): FlowEvent[] {
  const hidden = new Map<ToolCallId, Hidden>();
  return events.map((event): FlowEvent => {
    if (event.type === 'tool-requested' && event.secrets) {
      hidden.set(event.toolCallId, { secrets: event.secrets, input: event.input });
    }
    if (event.type === 'step-finished') {
      // The messages repeat each call's input; the calls themselves are told by their own events.
      return { ...event, messages: [] };
    }
    if (event.type === 'run-started') return shownStart(event);
    const call = 'toolCallId' in event ? hidden.get(event.toolCallId) : undefined;
    if (event.type === 'approval-answered') return shownAnswer(event, call?.secrets);
    if (event.type === 'approval-requested' && event.repeatOf) {
      // It may be in a chat that whoever reads this one may not see.
      const { at, outcome } = event.repeatOf;
      const asked = { ...event, repeatOf: { at, outcome } };
      return call ? shownEvent(asked, call) : asked;
    }
    return call ? shownEvent(event, call) : event;
  });
}

/** What was recorded of the asker is for tools: people are told the name. */
function shownStart({ asker: _asker, ...event }: EventOf<'run-started'>): FlowEvent {
  const { kept } = event;
  return kept ? { ...event, kept: { ...kept, events: shownEvents(kept.events) } } : event;
}

/**
 * The key of what is remembered stands for the whole arguments: with it, secret ones could be guessed. Role and session
 * of who answered are for the audit record alone.
 */
function shownAnswer(
  { remembered, approver: _approver, ...event }: EventOf<'approval-answered'>,
  secret?: Secrets,
): FlowEvent {
  return {
    ...event,
    ...(event.input !== undefined && { input: redact(event.input, secret?.input) }),
    ...runsAs(event, event.input ?? null, secret),
    ...(remembered && { remembered: { ...remembered, key: redacted } }),
  };
}

function shownEvent(event: FlowEvent, { secrets: secret, input }: Hidden): FlowEvent {
  switch (event.type) {
    case 'tool-requested':
    case 'tool-started':
      return { ...event, input: redact(event.input, secret.input), ...runsAs(event, event.input, secret) };
    case 'approval-requested':
      return { ...event, ...runsAs(event, input, secret) };
    case 'tool-progressed':
      return event.output === undefined ? event : { ...event, output: redact(event.output, secret.output) };
    case 'tool-completed':
      return { ...event, output: redact(event.output, secret.output), modelOutput: told(redacted) };
    case 'tool-failed':
      return { ...event, modelOutput: { type: 'error-text', value: event.error } };
    case 'outcome-resolved': {
      const { output, error } = event;
      const modelOutput =
        error === undefined ? told(redacted) : { type: 'error-text' as const, value: error };
      return {
        ...event,
        ...(output !== undefined && { output: redact(output, secret.output) }),
        modelOutput,
      };
    }
    case 'tool-denied':
      return { ...event, modelOutput: { type: 'execution-denied', reason: event.reason } };
    default:
      return event;
  }
}

function runsAs(
  { runsAs: parsed }: { runsAs?: JsonValue },
  input: JsonValue,
  secret: Secrets | undefined,
): { runsAs?: JsonValue } {
  return parsed === undefined ? {} : { runsAs: redactParsed(parsed, input, secret?.input) as JsonValue };
}

function told(value: string): ModelOutput {
  return { type: 'text', value };
}
