import type { FlowEvent } from '../../lib/flow/index.ts';
import type { Append } from '../../lib/log/store-port.ts';
import { claimOf, isRunEnd } from '../../lib/protocol/index.ts';

/** What is wrong with a chat's log, whatever happened to the chat. */
export function checkLog(log: readonly FlowEvent[]): string[] {
  const faults: string[] = [];
  const claims = new Set<string>();
  const runs = new Map<string, 'active' | 'ended'>();
  const refused = new Set<string>();
  let open: string | undefined;

  log.forEach((event, index) => {
    if (event.seq !== index + 1) faults.push(`seq ${event.seq} stands at place ${index + 1}`);
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
      const next = log[index + 1];
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
      faults.push(`${event.toolCallId} starts, though it was refused`);
    }
  });
  return faults;
}

/** What is wrong with a chat as it stands after an append: whoever reads it now sees this. */
export function checkAppended({ head, events, lease }: Append): string[] {
  const faults: string[] = [];
  if (head.open !== null && head.status !== 'waiting')
    faults.push(`${head.open} is open while ${head.status}`);
  if (head.status !== 'active' && lease === undefined && events.some(isRunEnd)) {
    faults.push('a run ends and keeps its lease');
  }
  return faults;
}
