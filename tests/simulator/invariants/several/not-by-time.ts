import type { EscalationState } from '../../../../lib/plugins/escalation/index.ts';
import { flowLogId } from '../../../../lib/protocol/index.ts';
import { type Invariant, tally } from '../invariant.ts';
import { requestOf } from './facts.ts';

/**
 * Time approves nothing: each approval of an escalated question was sent by the person that the log names, and each step and each
 * reminder is recorded once, in order, while the question is open (ADR 0048).
 */
export const notByTime: Invariant = {
  name: 'no time approves a question, and its steps are recorded once, in order',
  check(history) {
    const { verify, result } = tally();
    if (!history.profile.several?.escalation) return result();
    for (const [chatId, log] of history.logs) {
      if (chatId === flowLogId) continue;
      const last = new Map<string, number>();
      const ended = new Set<string>();
      for (const written of log) {
        const { event } = written;
        if (event.type === 'plugin-event' && event.plugin === 'escalation') {
          const { approvalId, name } = event;
          const { step, reminders } = event.says as EscalationState;
          const number = name === 'escalated' ? step : reminders;
          const key = `${name} ${approvalId}`;
          verify(
            number !== (last.get(key) ?? 0) + 1 &&
              `${chatId}: ${key} has ${number} after ${last.get(key) ?? 0}`,
            ended.has(approvalId) && `${chatId}: ${key} follows the end of the question`,
          );
          last.set(key, number ?? 0);
        }
        if (event.type === 'approval-answered' || event.type === 'approval-withdrawn')
          ended.add(event.approvalId);
        if (event.type !== 'approval-answered' || !event.approved || written.by === 'forger') continue;
        const { approvalId, by } = event;
        verify(
          !requestOf(history, { approvalId, by: by.id, written }) &&
            `${chatId}: ${approvalId} was approved by ${by.id}, who sent nothing`,
        );
      }
    }
    return result();
  },
};
