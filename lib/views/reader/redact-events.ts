import { redactAnswered, redactAsked } from '../../log/redact-question.ts';
import { createValueStrike, redactParsed } from '../../log/redaction.ts';
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

/** The secret paths of a call, its arguments, and `strike`, which removes the secrets of these, and of those it ran with. */
type Hidden = {
  readonly secrets: Secrets;
  readonly input: JsonValue;
  readonly strike: (value: unknown) => unknown;
};

/**
 * Redacts events for people. This is the only place where a view removes secrets: inputs and outputs that a tool keeps
 * secret, the model's version of them, the log entry of a repeated call, and everything of an asker except the name.
 *
 * Feed it the events of a turn or of a chat in order: a call's secret paths are in its `tool-requested`. Redacting twice
 * changes nothing more.
 *
 * @source ADR 0011, ADR 0015
 */
export function createRedaction(): (event: FlowEvent) => FlowEvent {
  /** By call; `undefined` for a call without secrets. */
  const hidden = new Map<ToolCallId, Hidden | undefined>();

  return function redactEvent(event: FlowEvent): FlowEvent {
    switch (event.type) {
      case 'tool-requested': {
        const { toolCallId, secrets, input } = event;
        hidden.set(toolCallId, secrets && hiding(secrets, input));
        return redactCallEvent(event, hidden.get(toolCallId));
      }
      case 'tool-started': {
        const known = hidden.get(event.toolCallId);
        if (known) hidden.set(event.toolCallId, hiding(known.secrets, known.input, event.input));
        return redactCallEvent(event, known);
      }
      case 'step-finished':
        // The model's messages repeat each call's input, which the calls' own events have.
        return { ...event, messages: [] };
      case 'agent-step': {
        // The subagent's prompt is made from its call's input.
        const { prompt: _prompt, ...shown } = event;
        return { ...shown, messages: [] };
      }
      case 'message-imported':
        // Its message is redacted when it is imported.
        return { ...event, modelMessages: [] };
      case 'run-started': {
        // Everything recorded of the asker is for tools; people see the name. Call options are for `prepareCall`, and the
        // trace is for other processes.
        const { asker: _asker, callOptions: _callOptions, trace: _trace, ...shown } = event;
        const { kept } = shown;
        return kept ? { ...shown, kept: { ...kept, events: kept.events.map(redactEvent) } } : shown;
      }
      case 'approval-voted':
      case 'advance-approved': {
        const { approver: _approver, ...shown } = event;
        return shown;
      }
      case 'approval-answered':
        return redactAnswer(event, hidden.get(event.toolCallId)?.secrets);
      case 'approval-requested': {
        const { repeatOf } = event;
        // The earlier call may be in a chat that this reader may not see.
        const shown = repeatOf
          ? { ...event, repeatOf: { at: repeatOf.at, outcome: repeatOf.outcome } }
          : event;
        return redactCallEvent(shown, hidden.get(event.toolCallId));
      }
      case 'outcome-resolved':
        // The call may be of a turn that was not read here. Then its secret paths are unknown.
        return hidden.has(event.toolCallId)
          ? redactCallEvent(event, hidden.get(event.toolCallId))
          : redactCallEvent(event, hiding({ output: [''] }, null));
      default:
        return 'toolCallId' in event ? redactCallEvent(event, hidden.get(event.toolCallId)) : event;
    }
  };
}

/** A whole log as people may read it. @see createRedaction */
export function redactEvents(events: readonly FlowEvent[]): FlowEvent[] {
  return events.map(createRedaction());
}

/**
 * The key of a remembered approval is a digest of all arguments, from which secret ones could be guessed. The role and
 * the session of the person who answered are for the audit record only.
 */
function redactAnswer(
  { approver: _approver, ...event }: EventOf<'approval-answered'>,
  secrets?: Secrets,
): FlowEvent {
  const { remembered } = event;
  return {
    ...redactAnswered(event, { secrets }),
    remembered: remembered && { ...remembered, key: redacted },
  };
}

function hiding(secrets: Secrets, ...inputs: readonly [JsonValue, JsonValue?]): Hidden {
  const calls = inputs.flatMap((input) => (input === undefined ? [] : [{ input, paths: secrets.input }]));
  return { secrets, input: inputs[0], strike: createValueStrike(calls) };
}

function redactCallEvent(event: FlowEvent, hidden: Hidden | undefined): FlowEvent {
  if (!hidden) return event;
  const { secrets, input } = hidden;
  switch (event.type) {
    case 'tool-requested':
    case 'tool-started':
      return {
        ...event,
        input: redact(event.input, secrets.input),
        ...redactRunsAs(event, event.input, secrets),
      };
    case 'approval-requested':
      return redactAsked(event, { input, secrets });
    case 'tool-progressed':
      return event.output === undefined ? event : { ...event, output: redact(event.output, secrets.output) };
    case 'data-written':
      return { ...event, part: { ...event.part, data: redactData(event.part.data, hidden) } };
    case 'tool-completed':
      return { ...event, output: redact(event.output, secrets.output), modelOutput: textOutput(redacted) };
    case 'tool-failed':
      return { ...event, modelOutput: { type: 'error-text', value: event.error } };
    case 'tool-denied':
      return { ...event, modelOutput: { type: 'execution-denied', reason: event.reason } };
    case 'outcome-resolved':
      return redactResolved(event, secrets);
    default:
      return event;
  }
}

/** Data for people follows the rules of outputs, and, because it often has sentences, those of messages about the call. */
function redactData(data: JsonValue, { secrets, strike }: Hidden): JsonValue {
  return strike(redact(data, secrets.output)) as JsonValue;
}

function redactResolved(event: EventOf<'outcome-resolved'>, secrets: Secrets): FlowEvent {
  const { output, error } = event;
  return {
    ...event,
    ...(output !== undefined && { output: redact(output, secrets.output) }),
    modelOutput: error === undefined ? textOutput(redacted) : { type: 'error-text', value: error },
  };
}

function redactRunsAs(
  { runsAs: parsed }: { readonly runsAs?: JsonValue },
  input: JsonValue,
  secrets: Secrets | undefined,
): { runsAs?: JsonValue } {
  return parsed === undefined ? {} : { runsAs: redactParsed(parsed, input, secrets?.input) as JsonValue };
}

function textOutput(value: string): ModelOutput {
  return { type: 'text', value };
}
