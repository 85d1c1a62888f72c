import type { EscalationState } from '../../../../lib/plugins/escalation/index.ts';
import type { History } from '../../history.ts';
import { mayVote } from '../../several/settings.ts';
import { type Invariant, tally } from '../invariant.ts';
import { type Answered, answersIn } from './facts.ts';

/** Whoever answers had the right before: by the rule of the tool, as the owner, or by a step that is in the log (ADR 0048). */
export const withARight: Invariant = {
  name: 'people answer by a rule, or after the step that adds them',
  check(history) {
    const { verify, result } = tally();
    if (!history.profile.several) return result();
    for (const answer of answersIn(history)) {
      const { holder, approvalId, chatId } = answer;
      const may = mayByRule(history, answer) || mayByStep(history, answer);
      verify(!may && `${holder} answered ${approvalId} of ${chatId}, which nothing allowed yet`);
    }
    return result();
  },
};

function mayByRule(history: History, { toolName, holder, askedBy, chatId }: Answered): boolean {
  const { several } = history.profile;
  if (several?.voted.some((name) => name === toolName)) return mayVote(several, holder, { id: askedBy });
  if (toolName === 'boss' || toolName === 'request_approval') return holder === 'cleo';
  return history.owners.get(chatId) === holder;
}

function mayByStep(history: History, { chatId, approvalId, holder, toolName, written }: Answered): boolean {
  const { steps = [] } = history.profile.several?.escalation ?? {};
  if (toolName === 'boss') return false;
  const log = history.logOf(chatId);
  const asked = log.find(
    ({ event }) => event.type === 'approval-requested' && event.approvalId === approvalId,
  )?.event;
  // Who changed the arguments answered the question that this one replaces.
  const replaced = asked?.type === 'approval-requested' ? asked.replaces : undefined;
  return log.some(({ event, moment }) => {
    if (event.type !== 'plugin-event' || event.name !== 'escalated') return false;
    if (event.approvalId !== approvalId && event.approvalId !== replaced) return false;
    const { step } = event.says as EscalationState;
    return moment < written.moment && steps[step - 1]?.adds === holder;
  });
}
