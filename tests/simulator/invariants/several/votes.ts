import type { History } from '../../history.ts';
import { type Invariant, tally } from '../invariant.ts';
import { eventsInTurns } from '../lists/lacking.ts';
import { answersIn } from './facts.ts';

const needed = 2;

/**
 * A call that two people must approve starts after two did, about this very question, and after no denial that settled it. Votes
 * on a question that it replaced do not count (ADR 0047).
 */
export const enoughVotes: Invariant = {
  name: 'a call that needs two approvals starts after two people approved it',
  check(history) {
    const { verify, result } = tally();
    const { several } = history.profile;
    if (!several) return result();
    const voted: ReadonlySet<string> = new Set(several.voted);
    const answers = answersIn(history);
    for (const { chatId, toolCallId, tool, instance, moment } of history.executions) {
      if (!voted.has(tool) || mayLackVotes(history, chatId, toolCallId)) continue;
      const before = answers.filter(
        (each) => each.chatId === chatId && each.toolCallId === toolCallId && each.written.moment < moment,
      );
      const last = before.findLast(({ isVote }) => !isVote);
      const same = before.filter(({ approvalId }) => approvalId === last?.approvalId);
      const people = new Set(same.filter(({ approved }) => approved).map(({ holder }) => holder));
      const denials = same.filter(({ approved }) => !approved);
      const ran = `${instance} ran ${chatId}/${toolCallId} (${tool})`;
      verify(
        people.size < needed && `${ran}, which ${[...people].join(' and ') || 'nobody'} approved`,
        denials.length >= several.denials &&
          `${ran}, which ${denials.map(({ holder }) => holder).join(' and ')} denied`,
      );
    }
    return result();
  },
};

/** In a rolling deployment, a question may be asked in a turn that began where the plugin is missing. */
function mayLackVotes(history: History, chatId: string, toolCallId: string): boolean {
  const asked = eventsInTurns(history).find(
    (each) =>
      each.chatId === chatId &&
      each.event.type === 'approval-requested' &&
      each.event.toolCallId === toolCallId,
  );
  if (asked?.event.type !== 'approval-requested') return false;
  return asked.event.plugins?.votes === undefined && !asked.ofTurn.has('votes');
}
