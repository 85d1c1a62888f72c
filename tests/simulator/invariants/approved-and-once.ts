import { idempotent, ungated } from '../cast/tools.ts';
import { approvalsSent } from './facts.ts';
import { type Invariant, tally } from './invariant.ts';

/** Each execution stands on a durable start and a person's yes, and there is one for each call. */
export const approvedAndOnce: Invariant = {
  name: 'no call starts without a recorded approval, and each at most once',
  check(history) {
    const { look, result } = tally();
    const sent = approvalsSent(history);
    const ran = new Map<string, number>();
    for (const { chatId, toolCallId, tool, moment, instance } of history.executions) {
      const call = `${chatId}/${toolCallId}`;
      const log = history.logOf(chatId).filter((written) => written.moment < moment);
      const times = (ran.get(call) ?? 0) + 1;
      ran.set(call, times);
      const of = (type: string) =>
        log.filter(({ event }) => event.type === type && 'toolCallId' in event && event.toolCallId === toolCallId);
      const attempts = 1 + of('tool-retrying').length;
      const yes = of('approval-answered').find(({ event }) => event.type === 'approval-answered' && event.approved)?.event;
      const by = yes?.type === 'approval-answered' ? yes.by.id : undefined;
      const said = sent.some(
        (each) => yes?.type === 'approval-answered' && each.approvalId === yes.approvalId && each.who === by && each.moment < moment,
      );
      look(
        of('tool-started').length === 0 && `${instance} ran ${call} (${tool}) without a durable start`,
        !ungated.has(tool) && !yes && `${instance} ran ${call} (${tool}) without a recorded approval`,
        !ungated.has(tool) && yes && !said && `${instance} ran ${call} (${tool}) on an approval that ${by} never sent`,
        of('tool-completed').length + of('tool-failed').length + of('tool-cancelled').length > 0 &&
          `${instance} ran ${call} (${tool}) after its end was recorded`,
        times > (idempotent.has(tool) ? attempts : 1) && `${call} (${tool}) ran ${times} times`,
      );
    }
    return result();
  },
};
