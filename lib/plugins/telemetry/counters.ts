import { createNoopMeter, type Meter, metrics } from '@opentelemetry/api';
import type { EventOf } from '../../protocol/index.ts';
import type { RecordedEvent } from '../../run/observing/observer.ts';

/** In seconds. People answer within seconds or days. */
const waitBuckets = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 604_800];

const none = createNoopMeter();

/**
 * Counts what happens in a flow, through OpenTelemetry's API. An event is counted by the instance that wrote it, when it has
 * become durable. Nothing is computed while no meter provider is registered.
 *
 * @source ADR 0033
 */
export function createCounters() {
  let made: { readonly meter: Meter; readonly instruments: Instruments } | undefined;

  /** Those of the registered provider, which may be registered after the flow was created. */
  function instruments(): Instruments | undefined {
    const meter = metrics.getMeter('countersign');
    if (meter === none) return undefined;
    if (made?.meter !== meter) made = { meter, instruments: createInstruments(meter) };
    return made.instruments;
  }

  return {
    recorded(events: readonly RecordedEvent[]): void {
      const all = instruments();
      if (all) for (const each of events) countEvent(all, each);
    },
    takenOver: (): void => instruments()?.takenOver.add(1),
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

function countEvent(
  { opened, settled, wait, ended, resolved }: Instruments,
  { event, call }: RecordedEvent,
): void {
  if (event.type === 'outcome-resolved') {
    const { outcome, source } = event;
    resolved.add(1, { 'countersign.call.outcome': outcome, 'countersign.outcome.source': source });
  }
  if (!call) return;
  // A model can make up any number of names.
  const tool = { 'gen_ai.tool.name': call.isInvalid ? '_OTHER' : call.toolName };
  switch (event.type) {
    case 'approval-requested':
      opened.add(1, tool);
      return;
    case 'approval-answered':
    case 'approval-withdrawn': {
      const attributes = { ...tool, 'countersign.question.outcome': outcomeOf(event) };
      settled.add(1, attributes);
      wait.record(Math.max(0, event.at - (call.askedAt ?? event.at)) / 1_000, attributes);
      return;
    }
    case 'tool-completed':
    case 'tool-failed':
    case 'tool-denied':
    case 'tool-cancelled': {
      const isUnknown = event.type === 'tool-failed' && event.outcome === 'unknown';
      const outcome = isUnknown ? 'unknown' : event.type.replace('tool-', '');
      ended.add(1, { ...tool, 'countersign.call.outcome': outcome });
      return;
    }
    default:
  }
}

function outcomeOf(event: EventOf<'approval-answered' | 'approval-withdrawn'>): string {
  if (event.type === 'approval-withdrawn') return event.reason;
  return event.approved ? 'approved' : 'denied';
}
