import type { TurnEventBody } from '../../protocol/events/turn-events.ts';
import type { EventOf, FlowEvent, ToolCallId } from '../../protocol/index.ts';
import { titleOf } from '../chat-title.ts';
import type { Turn } from '../turn/turn.ts';
import { asWritten, type EventRows, type EventTable, none, unrecorded } from './event-row.ts';

/** The step of a kept call that no step of this turn made. */
const noStep = -1;

/** Messages, and the starts and ends of runs. */
export const turnRows: EventRows<TurnEventBody> = {
  'message-received': {
    ...unrecorded,
    redact: asWritten,
    fold: none,
    head: ({ seq, parts }, { title }) => ({ turnSeq: seq, title: title || titleOf(parts) }),
    beginsTurn: true,
  },
  'history-cut': {
    ...unrecorded,
    redact: asWritten,
    fold: none,
    head: ({ seq }) => ({ turnSeq: seq }),
    beginsTurn: true,
  },
  'run-started': {
    ...unrecorded,
    redact(event, { redact }) {
      // Everything recorded of the asker is for tools; people see the name. Call options are for `prepareCall`.
      const { asker: _asker, callOptions: _callOptions, plugins: _plugins, gates: _gates, ...shown } = event;
      const { kept } = shown;
      return kept ? { ...shown, kept: { ...kept, events: kept.events.map(redact) } } : shown;
    },
    fold: startRun,
    head: ({ runId }) => ({ status: 'active', runId }),
  },
  'run-suspended': {
    ...unrecorded,
    redact: asWritten,
    fold(turn, event) {
      turn.phase = 'suspended';
      turn.waitsFor = turn.calls.get(event.toolCallId);
      if (turn.waitsFor) turn.waitsFor.suspended = event;
    },
    head: () => ({ status: 'waiting' }),
    // A call that the page executes starts here.
    isGuarded: true,
  },
  'run-completed': {
    ...unrecorded,
    redact: asWritten,
    fold: endRun,
    head: () => ({ status: 'idle' }),
    isNotice: () => true,
  },
  'run-failed': {
    ...unrecorded,
    redact: asWritten,
    fold: endRun,
    head: () => ({ status: 'failed' }),
    isNotice: () => true,
  },
  'run-cancelled': {
    ...unrecorded,
    redact: asWritten,
    fold(turn) {
      turn.isCancelled = true;
      endRun(turn);
    },
    head: () => ({ status: 'idle' }),
    isNotice: () => true,
  },
};

function startRun(turn: Turn, event: EventOf<'run-started'>, table: EventTable): void {
  if (turn.messageId === undefined) {
    turn.release = event.release;
    turn.callOptions = event.callOptions;
    turn.by = event.by;
    turn.asker = event.asker;
    turn.metadata = event.metadata;
    turn.plugins = event.plugins;
    turn.gates = event.gates;
    for (const kept of event.kept?.events ?? []) keep(turn, kept, event.kept?.toolCallIds ?? [], table);
  }
  if (event.options) turn.options = event.options;
  turn.messageId = event.messageId;
  turn.startedBy = event.by;
  turn.runId = event.runId;
  turn.phase = 'active';
  turn.waitsFor = undefined;
}

function endRun(turn: Turn): void {
  turn.phase = 'ended';
}

/** Folds an event of a turn that was cut away. */
function keep(turn: Turn, event: FlowEvent, shown: readonly ToolCallId[], table: EventTable): void {
  switch (event.type) {
    case 'step-finished':
      turn.steps.push({ step: event.step, finished: event, partial: [] });
      turn.keptSteps += 1;
      return;
    case 'tool-requested': {
      const { toolCallId } = event;
      const kept = shown.includes(toolCallId) ? 'shown' : 'context';
      const step = turn.steps.at(-1)?.step ?? noStep;
      turn.calls.set(toolCallId, { requested: event, step, position: event.seq, kept });
      return;
    }
    case 'outcome-resolved': {
      // The end that was recorded with it includes the outcome that became known.
      const call = turn.calls.get(event.toolCallId);
      if (call) call.resolved = event;
      return;
    }
    default:
      table.get(event.type)?.fold(turn, event, table);
  }
}
