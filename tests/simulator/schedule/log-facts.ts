import { isRunEnd } from '../../../lib/vocabulary/index.ts';
import type { Written } from '../history.ts';

/** The run that a chat is busy with after these events. */
export function activeRun(log: readonly Written[]): string | undefined {
  const last = log.findLast(({ event }) => event.type === 'run-started' || isRunEnd(event))?.event;
  return last?.type === 'run-started' ? last.runId : undefined;
}

/** Whether a question still waits for its answer. */
export function isOpen(log: readonly Written[], approvalId: string): boolean {
  const last = log.findLast(({ event }) => 'approvalId' in event && event.approvalId === approvalId);
  return last?.event.type === 'approval-requested';
}
