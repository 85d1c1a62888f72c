import { createNoopMeter, type Meter, metrics } from '@opentelemetry/api';
import type { StagedEvent } from '../../log/journal/staged-events.ts';
import { type CallEnd, isUnknown } from '../../log/turn/call-end.ts';
import type { Call } from '../../log/turn/turn.ts';
import type { EventOf, FlowEvent } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';

/** In seconds. People answer within seconds or days. */
const waitBuckets = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 604_800];

const none = createNoopMeter();

/**
 * The metrics of a flow, through OpenTelemetry's API. An event is counted by the instance that wrote it, when it has become
 * durable. Nothing is computed while no meter provider is registered, and what a meter throws changes nothing.
 *
 * @source ADR 0033
 */
export function createMetrics({ telemetry }: Pick<FlowSettings, 'telemetry'>) {
  const isEnabled = telemetry?.isEnabled !== false;
  let made: { readonly meter: Meter; readonly instruments: Instruments } | undefined;

  /** Those of the registered provider, which may be registered after the flow was created. */
  function instruments(): Instruments | undefined {
    const meter = metrics.getMeter('countersign');
    if (meter === none) return undefined;
    if (made?.meter !== meter) made = { meter, instruments: createInstruments(meter) };
    return made.instruments;
  }

  function measure(record: (instruments: Instruments) => void): void {
    if (!isEnabled) return;
    try {
      const all = instruments();
      if (all) record(all);
    } catch {
      // The measurement may be missing.
    }
  }

  return {
    /** Counts what a run or a command wrote. */
    written(batch: readonly StagedEvent[]): void {
      measure((all) => {
        for (const { event, call } of batch) if (call) countCallEvent(all, event, call);
      });
    },

    /** Counts what became known later of a call whose outcome was unknown. */
    appended(event: FlowEvent): void {
      if (event.type !== 'outcome-resolved') return;
      const { outcome, source } = event;
      measure(({ resolved }) =>
        resolved.add(1, { 'countersign.call.outcome': outcome, 'countersign.outcome.source': source }),
      );
    },

    /** Counts a run that this instance has taken over. */
    takenOver: () => measure(({ takenOver }) => takenOver.add(1)),
  };
}

type Instruments = ReturnType<typeof createInstruments>;

function createInstruments(meter: Meter) {
  return {
    opened: meter.createCounter('countersign.questions.opened', {
      unit: '{question}',
      description: 'Questions that were asked.',
    }),
    settled: meter.createCounter('countersign.questions.settled', {
      unit: '{question}',
      description: 'Questions that were answered or withdrawn.',
    }),
    wait: meter.createHistogram('countersign.question.wait', {
      unit: 's',
      description: 'Time from a question to its answer or withdrawal.',
      advice: { explicitBucketBoundaries: waitBuckets },
    }),
    ended: meter.createCounter('countersign.calls.ended', {
      unit: '{call}',
      description: 'Tool calls that ended.',
    }),
    resolved: meter.createCounter('countersign.outcomes.resolved', {
      unit: '{call}',
      description: 'Unknown outcomes that became known.',
    }),
    takenOver: meter.createCounter('countersign.runs.taken_over', {
      unit: '{run}',
      description: 'Runs that this instance continued because their owner was gone.',
    }),
  };
}

function countCallEvent({ opened, settled, wait, ended }: Instruments, event: FlowEvent, call: Call): void {
  const { toolName, invalid } = call.requested;
  // A model can make up any number of names.
  const tool = { 'gen_ai.tool.name': invalid ? '_OTHER' : toolName };
  switch (event.type) {
    case 'approval-requested':
      opened.add(1, tool);
      return;
    case 'approval-answered':
    case 'approval-withdrawn': {
      const attributes = { ...tool, 'countersign.question.outcome': outcomeOf(event) };
      settled.add(1, attributes);
      wait.record(Math.max(0, event.at - (call.asked?.at ?? event.at)) / 1_000, attributes);
      return;
    }
    case 'tool-completed':
    case 'tool-failed':
    case 'tool-denied':
    case 'tool-cancelled':
      ended.add(1, { ...tool, 'countersign.call.outcome': endOf(event) });
      return;
    default:
  }
}

function outcomeOf(event: EventOf<'approval-answered' | 'approval-withdrawn'>): string {
  if (event.type === 'approval-withdrawn') return event.reason;
  return event.approved ? 'approved' : 'denied';
}

function endOf(event: CallEnd): string {
  return isUnknown(event) ? 'unknown' : event.type.replace('tool-', '');
}

export type Metrics = ReturnType<typeof createMetrics>;
