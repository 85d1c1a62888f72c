import type { Invariant } from '../invariant.ts';
import { delegated } from './delegated.ts';
import { notByTime } from './not-by-time.ts';
import { oneVoteEach } from './one-vote-each.ts';
import { enoughVotes } from './votes.ts';
import { withARight } from './with-a-right.ts';

/** What holds for questions that are not for one person only (ADRs 0047, 0048 and 0049). */
export const severalInvariants: readonly Invariant[] = [
  oneVoteEach,
  enoughVotes,
  withARight,
  notByTime,
  delegated,
];
