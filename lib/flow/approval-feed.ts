import { expireDue } from '../commands/expire.ts';
import { CountersignError, type Principal } from '../protocol/index.ts';
import { ownerToRead } from '../rights/permissions.ts';
import type { Engine } from '../run/engine.ts';
import type { Cursors } from '../views/questions/cursors.ts';
import type { ApprovalFeed } from '../views/questions/feed.ts';
import { questionFeed } from '../views/questions/question-feed.ts';
import type { SharedFeeds } from '../views/questions/shared-feeds.ts';

const mostExpired = 200;

/** The position before the first change. */
const oldest = '0';

/**
 * The questions that a principal may see, as they open and settle. Positions in the store's feed count every
 * user's changes, so clients receive them encrypted. The initial position contains random bits, so reading it
 * twice does not reveal whether anything happened in between.
 *
 * @throws CountersignError `invalid-request` for a position that was not issued to this principal
 * @source H11, ADR 0012
 */
export async function openApprovalFeed(
  engine: Engine,
  feeds: SharedFeeds,
  cursors: Cursors,
  { principal, after: given }: { readonly principal: Principal; readonly after?: string },
): Promise<ApprovalFeed> {
  const { store, pauses, settings, hooks } = engine;
  const from =
    given === undefined ? await store.questions.lastChange() : await positionOf(cursors, principal, given);
  await expireDue(engine, mostExpired);
  const changes = questionFeed({
    questions: feeds.questions,
    notifications: feeds.notifications,
    pauses,
    after: from,
    ownerNow: () => ownerToRead(settings, principal),
    see: feeds.seenBy(principal),
    watches: await Promise.all(hooks.watchRights.map((watch) => watch(principal, feeds.questions))),
    seal: (place) => cursors.seal('feed', principal, String(place)),
  });
  return {
    after: given ?? (await cursors.sealAnew('feed', principal, String(from))),
    changes,
    reader: await cursors.nameOf('feed', principal),
  };
}

async function positionOf(cursors: Cursors, principal: Principal, given: string): Promise<number> {
  if (given === oldest) return 0;
  const position = Number.parseInt(await cursors.open('feed', principal, given), 10);
  if (Number.isSafeInteger(position)) return position;
  throw new CountersignError('invalid-request', 'This is not a valid position in the feed.');
}
