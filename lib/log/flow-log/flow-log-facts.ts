import type { FlowLogBody, FlowLogEvent, FlowLogState } from '../../protocol/index.ts';
import type { Seals } from '../seal/audit-keys.ts';

/** The content of an event of the flow's log in the record. Times are ISO 8601 in UTC. */
export type FlowLogFacts = {
  readonly log: 'flow';
  readonly seq: number;
  readonly at: string;
} & FlowLogBody & {
    readonly state: FlowLogState;
  };

/** One entry of the flow's own record, chained to the previous one. */
export type FlowLogEntry = FlowLogFacts & { readonly seal: string };

export function flowLogFacts({ seal: _seal, ...event }: FlowLogEvent): FlowLogFacts {
  return { log: 'flow', ...event, at: new Date(event.at).toISOString() };
}

/** Whether an event of the flow's log has a valid seal that continues the previous one. */
export function isSealedAfter(seals: Seals, previous: string | null, event: FlowLogEvent): boolean {
  return event.seal !== undefined && seals.fits(event.seal, previous, flowLogFacts(event)) === true;
}
