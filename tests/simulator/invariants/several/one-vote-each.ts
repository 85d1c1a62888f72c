import { type Invariant, tally } from '../invariant.ts';
import { answersIn } from './facts.ts';

/** A person has one vote on a question, whoever acts: for themselves, or for somebody else (ADR 0047). */
export const oneVoteEach: Invariant = {
  name: 'no person has two votes on a question',
  check(history) {
    const { verify, result } = tally();
    const used = new Map<string, Set<string>>();
    const voted: ReadonlySet<string> = new Set(history.profile.several?.voted);
    for (const { chatId, approvalId, toolName, by, holder } of answersIn(history)) {
      if (!voted.has(toolName)) continue;
      const people = used.get(`${chatId} ${approvalId}`) ?? new Set();
      used.set(`${chatId} ${approvalId}`, people);
      const twice = [...new Set([by, holder])].find((id) => people.has(id));
      verify(twice !== undefined && `${twice} has two votes on ${approvalId} of ${chatId}`);
      people.add(by).add(holder);
    }
    return result();
  },
};
