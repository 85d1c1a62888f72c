import { stranger } from '../actors/people.ts';
import { type Invariant, tally } from './invariant.ts';

/** An approval written into the database runs nothing and is detected. One sent by a stranger is never recorded. */
export const forgedApprovals: Invariant = {
  name: 'a forged approval neither runs nor verifies',
  check(history) {
    const { verify, result } = tally();
    for (const { chatId, toolCallId, moment } of history.forged) {
      const ran = history.executions.find(
        (each) => each.chatId === chatId && each.toolCallId === toolCallId && each.moment > moment,
      );
      const isFound = history.record?.some((fault) => fault.chatId === chatId);
      verify(
        ran &&
          `${ran.instance} ran ${chatId}/${toolCallId} on an approval that was written into the database`,
        !history.isGone(chatId, moment) &&
          !isFound &&
          `the record of ${chatId} verifies, though an approval in it was forged`,
      );
    }
    for (const [chatId, log] of history.logs) {
      for (const { event } of log) {
        if (event.type !== 'approval-answered') continue;
        verify(event.by.id === stranger && `${stranger} answered ${event.approvalId} of ${chatId}`);
      }
    }
    return result();
  },
};
