import { flowLogId } from '../../../../lib/protocol/index.ts';
import type { Exchange, History, Written } from '../../history.ts';

/** One person's answer to one question, whether or not it settled the question. */
export type Answered = {
  readonly chatId: string;
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly approved: boolean;
  readonly by: string;
  /** Whose right it was. */
  readonly holder: string;
  readonly askedBy: string;
  readonly isVote: boolean;
  readonly written: Written;
};

/** Every vote and every answer in the logs, in the order of each log. What was written into the database directly is left out. */
export function answersIn(history: History): Answered[] {
  const chats = new Set([...history.erasedLogs.keys(), ...history.logs.keys()]);
  chats.delete(flowLogId);
  return [...chats].flatMap((chatId) => {
    const log = history.logOf(chatId);
    const askers = new Map<string, string>();
    const tools = new Map<string, string>();
    return log.flatMap((written): Answered[] => {
      const { event } = written;
      if (event.type === 'tool-requested') tools.set(event.toolCallId, event.toolName);
      if (event.type === 'approval-requested') askers.set(event.approvalId, event.askedBy.id);
      if (event.type !== 'answer-recorded' && event.type !== 'approval-answered') return [];
      if (written.by === 'forger') return [];
      const { approvalId, toolCallId, approved, by, onBehalfOf } = event;
      return [
        {
          ...{ chatId, approvalId, toolCallId, approved, written, by: by.id, holder: (onBehalfOf ?? by).id },
          toolName: tools.get(toolCallId)?.split('/').at(-1) ?? '',
          askedBy: askers.get(approvalId) ?? '',
          isVote: event.type === 'answer-recorded',
        },
      ];
    });
  });
}

/** The first request of this person to answer this question that was sent before a moment. */
export function requestOf(
  history: History,
  { by, approvalId, written }: Pick<Answered, 'by' | 'approvalId' | 'written'>,
): Exchange | undefined {
  const sentFor = (id: string) =>
    history.exchanges.find(
      ({ who, moment, path, body }) =>
        who === by && moment < written.moment && `${path} ${JSON.stringify(body ?? '')}`.includes(id),
    );
  const before = replacedBy(history, approvalId);
  return sentFor(approvalId) ?? (before === undefined ? undefined : sentFor(before));
}

/** The question that an edit replaced: the vote with the edit was sent for that one. */
function replacedBy(history: History, approvalId: string): string | undefined {
  for (const chatId of history.logs.keys()) {
    const log = history.logOf(chatId).map(({ event }) => event);
    const asked = log.find((event) => event.type === 'approval-requested' && event.approvalId === approvalId);
    if (asked?.type !== 'approval-requested') continue;
    const call = log.find(
      (event) => event.type === 'tool-requested' && event.toolCallId === asked.toolCallId,
    );
    const replaced = call?.type === 'tool-requested' ? call.replaces : undefined;
    const before = log.findLast(
      (event) => event.type === 'approval-requested' && event.toolCallId === replaced,
    );
    return before?.type === 'approval-requested' ? before.approvalId : undefined;
  }
  return undefined;
}
