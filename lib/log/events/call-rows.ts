import type { CallEventBody, OutcomeEventBody } from '../../protocol/events/call-events.ts';
import { type EventOf, redact, redacted, type ToolCallId } from '../../protocol/index.ts';
import type { CallFacts } from '../seal/audit-entry.ts';
import { type CallEnd, isUnknown } from '../turn/call-end.ts';
import type { Call, Turn } from '../turn/turn.ts';
import { asWritten, type EventRows, none, ofCall, unrecorded } from './event-row.ts';
import { type Hidden, hiding, redactInputs } from './hidden.ts';
import { resolve } from './resolve.ts';

/** Every end of a call makes the same claim, so a call ends once. */
const end = {
  claim: ({ toolCallId }: { readonly toolCallId: ToolCallId }) => `ended:${toolCallId}`,
  fold: ofCall((call: Call, event: CallEnd) => {
    call.end = event;
  }),
};

/** What happens to a call, from its first words to its end. */
export const callRows: EventRows<CallEventBody | OutcomeEventBody> = {
  'tool-input-delta': { ...unrecorded, redact: asWritten, fold: none, isForReaders: true },
  'tool-input-dropped': { ...unrecorded, redact: asWritten, fold: none, isForReaders: true },
  'tool-requested': {
    claim: none,
    redact(event, { hidden }) {
      const { toolCallId, secrets, input } = event;
      hidden.set(toolCallId, secrets && hiding(secrets, input));
      return secrets ? redactInputs(event, secrets) : event;
    },
    fold: addCall,
    facts({ runsAs }, { requested: { gate, input } }, { shown }) {
      switch (gate.type) {
        case 'none':
          return { type: 'requested', gate: 'none', ...shown(input, runsAs) };
        case 'automatic': {
          const { approved, reason } = gate;
          return { type: 'decided', approved, reason, rule: 'policy', ...shown(input, runsAs) };
        }
        default:
          return undefined;
      }
    },
  },
  'tool-started': {
    claim: ({ toolCallId }) => `started:${toolCallId}`,
    redact(event, { hidden }) {
      const known = hidden.get(event.toolCallId);
      if (!known) return event;
      hidden.set(event.toolCallId, hiding(known.secrets, known.input, event.input));
      return redactInputs(event, known.secrets);
    },
    fold: ofCall((call, event) => {
      call.started = event;
    }),
    facts: ({ input, runsAs }, call, { shown }) => ({
      ...gateOf(call),
      type: 'started',
      ...shown(input, runsAs),
    }),
    isGuarded: true,
  },
  'tool-progressed': {
    ...unrecorded,
    redact(event, { hidden }) {
      const known = hidden.get(event.toolCallId);
      return known && event.output !== undefined
        ? { ...event, output: redact(event.output, known.secrets.output) }
        : event;
    },
    fold: none,
  },
  'tool-retrying': {
    ...unrecorded,
    redact: asWritten,
    fold: ofCall((call, event) => {
      call.retried = event;
    }),
  },
  'tool-completed': {
    ...end,
    redact(event, { hidden }) {
      const known = hidden.get(event.toolCallId);
      return known
        ? { ...event, output: redact(event.output, known.secrets.output), modelOutput: hiddenOutput }
        : event;
    },
    facts: ({ output }, call, { digest }) => ({ ...endOf(call, 'completed'), digest: digest(output) }),
  },
  'tool-failed': {
    ...end,
    redact: (event, { hidden }) =>
      hidden.get(event.toolCallId)
        ? { ...event, modelOutput: { type: 'error-text', value: event.error } }
        : event,
    facts: ({ outcome, error }, call) => endOf(call, outcome, error),
    isNotice: isUnknown,
  },
  'tool-denied': {
    ...end,
    redact: (event, { hidden }) =>
      hidden.get(event.toolCallId)
        ? { ...event, modelOutput: { type: 'execution-denied', reason: event.reason } }
        : event,
    facts: ({ reason }, call) => endOf(call, 'denied', reason),
  },
  'tool-cancelled': {
    ...end,
    redact: asWritten,
    facts: ({ reason }, call) => endOf(call, 'cancelled', reason),
  },
  'outcome-resolved': {
    // A report by the process that ran the call overrides what others concluded in the meantime.
    claim: ({ source, toolCallId }) => `${source === 'late' ? 'reported' : 'resolved'}:${toolCallId}`,
    redact(event, { hidden }) {
      // The call may be of a turn that was not read here. Then its secret paths are unknown.
      const isRead = hidden.has(event.toolCallId);
      const known = isRead ? hidden.get(event.toolCallId) : hiding({ output: [''] }, null);
      return known ? redactOutcome(event, known) : event;
    },
    fold: ofCall(resolve),
    facts({ source, outcome, by, note, error, output }, _call, { digest }) {
      const known = { type: 'resolved' as const, source, outcome, by, note, error };
      return { ...known, ...(output === undefined ? {} : { digest: digest(output) }) };
    },
  },
};

const hiddenOutput = { type: 'text', value: redacted } as const;

function redactOutcome(event: EventOf<'outcome-resolved'>, { secrets }: Hidden): EventOf<'outcome-resolved'> {
  const { output, error } = event;
  return {
    ...event,
    ...(output !== undefined && { output: redact(output, secrets.output) }),
    modelOutput: error === undefined ? hiddenOutput : { type: 'error-text', value: error },
  };
}

function gateOf({ requested }: Call): { readonly gate?: 'none' } {
  return requested.gate.type === 'none' ? { gate: 'none' } : {};
}

type EndFacts = Extract<CallFacts, { readonly type: 'ended' }>;

function endOf(call: Call, outcome: EndFacts['outcome'], error?: string): EndFacts {
  return { ...gateOf(call), type: 'ended', outcome, error };
}

/** A call that replaces another one takes its place in the order, so that questions keep their order. */
function addCall(turn: Turn, requested: EventOf<'tool-requested'>): void {
  const { toolCallId, replaces, parent } = requested;
  const replaced = replaces && turn.calls.get(replaces);
  const maker = parent === undefined ? turn.steps : turn.calls.get(parent)?.agentSteps;
  const step = replaced?.step ?? maker?.at(-1)?.step ?? 0;
  turn.calls.set(toolCallId, { requested, step, position: replaced?.position ?? requested.seq });
  if (!replaced) return;
  replaced.replacedBy = toolCallId;
  const [last] = [...turn.calls].slice(-1);
  const later = [...turn.calls].slice([...turn.calls.keys()].indexOf(replaces) + 1, -1);
  for (const [id, call] of last ? [last, ...later] : []) {
    turn.calls.delete(id);
    turn.calls.set(id, call);
  }
}
