import { claimOf } from '../../lib/log/events/event-table.ts';
import type { Append } from '../../lib/log/store/index.ts';
import type { FlowEvent } from '../../lib/protocol/index.ts';
import { isRunEnd } from '../../lib/protocol/index.ts';

/** The faults of a chat's log. A log must never have any. */
export function checkLog(log: readonly FlowEvent[]): string[] {
  const faults: string[] = [];
  const claims = new Set<string>();
  const runs = new Map<string, 'active' | 'ended'>();
  const refused = new Set<string>();
  let open: string | undefined;

  log.forEach((event, index) => {
    if (event.seq !== index + 1) faults.push(`seq ${event.seq} is at position ${index + 1}`);
    const claim = claimOf(event);
    if (claim !== undefined && claims.has(claim)) faults.push(`${claim} is claimed twice`);
    if (claim !== undefined) claims.add(claim);

    if (event.type === 'run-started') {
      if (runs.has(event.runId)) faults.push(`${event.runId} starts twice`);
      if ([...runs.values()].includes('active'))
        faults.push(`${event.runId} starts while another run is active`);
      runs.set(event.runId, 'active');
    }
    if (isRunEnd(event)) {
      if (runs.get(event.runId) !== 'active') faults.push(`${event.runId} ends without being active`);
      runs.set(event.runId, 'ended');
    }
    if (event.type === 'approval-requested') {
      if (open !== undefined) faults.push(`${event.approvalId} is asked while ${open} is open`);
      open = event.approvalId;
      // Who edits the arguments of a call that needs several approvals has voted for them.
      const next = log.slice(index + 1).find(({ type }) => type !== 'answer-recorded');
      if (next?.type !== 'run-suspended' || next.toolCallId !== event.toolCallId) {
        faults.push(`${event.approvalId} is asked without suspending the run`);
      }
    }
    if (event.type === 'approval-answered' || event.type === 'approval-withdrawn') {
      if (open !== event.approvalId) faults.push(`${event.approvalId} is settled, but not open`);
      open = undefined;
      if (event.type === 'approval-withdrawn' || !event.approved) refused.add(event.toolCallId);
    }
    if (event.type === 'tool-started' && refused.has(event.toolCallId)) {
      faults.push(`${event.toolCallId} starts, although it was refused`);
    }
  });
  return faults;
}

/** The faults of a chat right after an append, when readers can see it. */
export function checkAppended({ head, events, lease }: Append): string[] {
  const faults: string[] = [];
  if (head.open !== null && head.status !== 'waiting')
    faults.push(`${head.open} is open while ${head.status}`);
  if (head.status !== 'active' && lease === undefined && events.some(isRunEnd)) {
    faults.push('a run ends without releasing its lease');
  }
  return faults;
}
