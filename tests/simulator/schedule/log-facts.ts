import { isRunEnd } from '../../../lib/protocol/index.ts';
import type { History, Written } from '../history.ts';

/** The active run of a chat after these events. */
export function activeRun(log: readonly Written[]): string | undefined {
  const last = log.findLast(({ event }) => event.type === 'run-started' || isRunEnd(event))?.event;
  return last?.type === 'run-started' ? last.runId : undefined;
}

/** Whether a message went on after its turn had ended, because a person tried a failed call again. */
export function isContinued(log: readonly Written[], messageId: string | undefined): boolean {
  let hasEnded = false;
  let current: string | undefined;
  for (const { event } of log) {
    if (event.type === 'run-started') {
      current = event.messageId;
      if (hasEnded && current === messageId) return true;
    }
    hasEnded ||= isRunEnd(event) && event.type !== 'run-suspended' && current === messageId;
  }
  return false;
}

/** Whether a question is still open. */
export function isOpen(log: readonly Written[], approvalId: string): boolean {
  const states = /^approval-(requested|answered|withdrawn|granted)$/;
  const last = log.findLast(
    ({ event }) => states.test(event.type) && 'approvalId' in event && event.approvalId === approvalId,
  );
  return last?.event.type === 'approval-requested';
}

/** A remembered approval, as recorded in the log of any chat. */
export type GivenGrant = {
  readonly grantId: string;
  readonly approvalId: string;
  readonly by: string;
  readonly chatId: string;
  readonly toolName: string;
  readonly scope: 'chat' | 'me';
};

/** Every approval that was remembered, oldest first. */
export function grantsGiven(history: Pick<History, 'logs' | 'logOf' | 'erasedLogs'>): GivenGrant[] {
  const chats = new Set([...history.erasedLogs.keys(), ...history.logs.keys()]);
  return [...chats].flatMap((chatId) => {
    const log = history.logOf(chatId).map(({ event }) => event);
    return log.flatMap((event) => {
      if (event.type !== 'approval-answered' || !event.plugins?.remembered) return [];
      // As the plugin has recorded it.
      const { grantId, scope } = event.plugins.remembered as Pick<GivenGrant, 'grantId' | 'scope'>;
      const requested = log.find(
        (each) => each.type === 'tool-requested' && each.toolCallId === event.toolCallId,
      );
      const toolName = requested?.type === 'tool-requested' ? requested.toolName : '';
      return [{ grantId, scope, approvalId: event.approvalId, by: event.by.id, chatId, toolName }];
    });
  });
}
