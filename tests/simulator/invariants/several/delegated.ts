import type { Delegation } from '../../../../lib/plugins/delegation/index.ts';
import { type FlowLogBody, flowLogId } from '../../../../lib/protocol/index.ts';
import type { History, Written } from '../../history.ts';
import { times } from '../../machine/instance.ts';
import { type Invariant, tally } from '../invariant.ts';
import { type Answered, answersIn, requestOf } from './facts.ts';

/** A sweep, in which each instance learns of a revocation, and the calls that it makes. */
const sweepMs = times.sweepMs + 1_000;

/** Who answers for somebody else had that person's delegation, which had neither ended nor been revoked, and did not ask (ADR 0049). */
export const delegated: Invariant = {
  name: 'a delegate answers while the delegation is live, and never as the asker',
  check(history) {
    const { verify, result } = tally();
    for (const answer of answersIn(history)) {
      const { by, holder, askedBy, approvalId, chatId } = answer;
      if (by === holder) continue;
      const what = `${by} answered ${approvalId} of ${chatId} for ${holder}`;
      verify(
        by === askedBy && `${what}, and had asked`,
        !isCovered(history, answer) && `${what}, without a live delegation`,
      );
    }
    return result();
  },
};

type Revoked = Pick<Written, 'moment' | 'at'> & { readonly id: string };
type Made = Pick<Written, 'moment' | 'at'> & { readonly delegation: Delegation };

/** What the flow's own log says of delegations. Its events are others than those of chats. */
function delegationsIn(history: History): { readonly made: Made[]; readonly revoked: Revoked[] } {
  const made: Made[] = [];
  const revoked: Revoked[] = [];
  for (const { event, moment, at } of history.logOf(flowLogId)) {
    const body = event as unknown as FlowLogBody;
    if (body.type !== 'plugin-event' || body.plugin !== 'delegation') continue;
    const { delegation, delegationId } = body.data as { delegation?: Delegation; delegationId?: string };
    if (delegation) made.push({ moment, at, delegation });
    if (delegationId) revoked.push({ moment, at, id: delegationId });
  }
  return { made, revoked };
}

/** The delegation was made before, and had neither ended nor been revoked when the request was sent. */
function isCovered(history: History, answer: Answered): boolean {
  const { by, holder, written } = answer;
  const request = requestOf(history, answer);
  const sentAt = request?.at ?? written.at;
  // An answer from outside the chat reads the delegations again. In the chat, they are at most a sweep old.
  const isFresh = request?.path.startsWith('/api/approvals/') ?? false;
  const mayBeOld = !isFresh && history.away.some(({ instance }) => instance === written.by);
  const { made, revoked } = delegationsIn(history);
  const isRevoked = ({ id }: Delegation) =>
    !mayBeOld && revoked.some((each) => each.id === id && each.at <= sentAt - (isFresh ? 0 : sweepMs));
  return made.some(
    ({ delegation, moment }) =>
      delegation.from.id === holder &&
      delegation.to.id === by &&
      moment < written.moment &&
      delegation.until > sentAt &&
      !isRevoked(delegation),
  );
}
