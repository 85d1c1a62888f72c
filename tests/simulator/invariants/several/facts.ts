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
      if (event.type !== 'approval-voted' && event.type !== 'approval-answered') return [];
      if (written.by === 'forger') return [];
      const { approvalId, toolCallId, approved, by, onBehalfOf } = event;
      return [
        {
          ...{ chatId, approvalId, toolCallId, approved, written, by: by.id, holder: (onBehalfOf ?? by).id },
          toolName: tools.get(toolCallId)?.split('/').at(-1) ?? '',
          askedBy: askers.get(approvalId) ?? '',
          isVote: event.type === 'approval-voted',
        },
      ];
    });
  });
}

/** The first request of this person to answer this question that was sent before a moment. */
export function requestOf(
  { exchanges }: History,
  { by, approvalId, written }: Pick<Answered, 'by' | 'approvalId' | 'written'>,
): Exchange | undefined {
  return exchanges.find(
    ({ who, moment, path, body }) =>
      who === by && moment < written.moment && `${path} ${JSON.stringify(body ?? '')}`.includes(approvalId),
  );
}
