import { idempotent, ungated } from '../actors/tools.ts';
import type { Execution, History, Written } from '../history.ts';
import { grantsGiven } from '../schedule/log-facts.ts';
import { approvalsSent, type SentApproval } from './facts.ts';
import { type Invariant, tally } from './invariant.ts';

/**
 * Each execution has a durable start and a person's approval, given now or remembered; and each call has one
 * execution.
 */
export const approvedAndOnce: Invariant = {
  name: 'no call starts without a recorded approval, and each at most once',
  check(history) {
    const { verify, result } = tally();
    const sent = approvalsSent(history);
    const ran = new Map<string, number>();
    for (const execution of history.executions) {
      const { chatId, toolCallId, tool, moment, instance } = execution;
      const call = `${chatId}/${toolCallId} (${tool})`;
      const log = history.logOf(chatId).filter((written) => written.moment < moment);
      const times = (ran.get(call) ?? 0) + 1;
      ran.set(call, times);
      const attempts = 1 + eventsOf(log, toolCallId, 'tool-retrying').length;
      verify(
        eventsOf(log, toolCallId, 'tool-started').length === 0 &&
          `${instance} ran ${call} without a durable start`,
        !ungated.has(tool) && unapproved(history, sent, log, execution),
        hasEnded(log, toolCallId) && `${instance} ran ${call} after its end was recorded`,
        times > (idempotent.has(tool) ? attempts : 1) && `${call} ran ${times} times`,
      );
    }
    return result();
  },
};

function eventsOf(log: readonly Written[], toolCallId: string, type: string): Written[] {
  return log.filter(
    ({ event }) => event.type === type && 'toolCallId' in event && event.toolCallId === toolCallId,
  );
}

function hasEnded(log: readonly Written[], toolCallId: string): boolean {
  return ['tool-completed', 'tool-failed', 'tool-cancelled'].some(
    (type) => eventsOf(log, toolCallId, type).length > 0,
  );
}

/** What is wrong with a call's approval. */
function unapproved(
  history: History,
  sent: readonly SentApproval[],
  log: readonly Written[],
  { chatId, toolCallId, toolName, instance }: Execution,
): string | undefined {
  const ran = `${instance} ran ${chatId}/${toolCallId} (${toolName})`;
  const [yes] = eventsOf(log, toolCallId, 'approval-answered');
  if (yes?.event.type === 'approval-answered') {
    const { approved, approvalId, by } = yes.event;
    const said = sent.find(
      (each) => each.approvalId === approvalId && each.who === by.id && each.moment < yes.moment,
    );
    if (!approved) return `${ran}, which ${by.id} denied`;
    return said ? undefined : `${ran} on an approval that ${by.id} never sent`;
  }
  const [granted] = eventsOf(log, toolCallId, 'approval-granted');
  if (granted?.event.type !== 'approval-granted') return `${ran} without a recorded approval`;
  const { grantId, by } = granted.event;
  const early = log.findLast(
    ({ event }) =>
      event.type === 'plugin-event' && event.toolCallId === toolCallId && event.early !== undefined,
  )?.event;
  if (early?.type === 'plugin-event' && early.early?.id === grantId) {
    const isSent = history.exchanges.some(
      ({ who, path, body }) =>
        who === by.id && path.endsWith('/upcoming') && JSON.stringify(body ?? '').includes(`"${toolCallId}"`),
    );
    return isSent ? undefined : `${ran} on an early approval that ${by.id} never sent`;
  }
  const grant = grantsGiven(history).find((each) => each.grantId === grantId);
  const said = sent.find(
    (each) => each.approvalId === grant?.approvalId && each.who === by.id && each.plugins,
  );
  const taken = history.exchanges.find(
    ({ does, path, status, answeredAt = 0 }) =>
      does === 'forget' && path.endsWith(grantId) && status === 204 && answeredAt < granted.moment,
  );
  if (!grant || !said) return `${ran} on a remembered approval that ${by.id} never gave`;
  if (taken) return `${ran} on a remembered approval that was revoked`;
  const covers = grant.toolName === toolName && (grant.scope === 'me' || grant.chatId === chatId);
  return covers ? undefined : `${ran} on a remembered approval of ${grant.toolName} in ${grant.chatId}`;
}
