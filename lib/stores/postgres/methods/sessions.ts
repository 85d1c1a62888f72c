import type { SessionId, SessionStore } from '../../../protocol/index.ts';
import { lastPlace, pageOf, placeBy, readCursor } from '../../cursor.ts';
import { createGroups } from '../../groups.ts';
import { exactText } from '../../row-text.ts';
import { toSession } from '../../rows.ts';
import type { Access } from '../access.ts';

/** Sessions in the store's schema. Concurrent lookups share one round trip. @returns `idle` resolves when none is waiting */
export function postgresSessions({ statements, query, ask, withStoreErrors }: Access) {
  const lookups = createGroups(async (ids: readonly SessionId[]) => {
    const rows = await query(statements.sessions, ids);
    const found = new Map(rows.map(toSession).map((session) => [session.id, session]));
    return ids.map((id) => found.get(id));
  });
  const sessions: SessionStore = {
    async begin({ id, principal, createdAt, lastSeenAt, until }, now) {
      const person = exactText(principal.id);
      const body = JSON.stringify(principal);
      await ask(statements.beginSession, id, person, createdAt, lastSeenAt, until, body, now);
    },

    read: (id) => withStoreErrors(() => lookups.add(id)),

    async list({ personId, now, cursor, limit }) {
      const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
      const rows = await ask(statements.sessionsOf, exactText(personId), now, at, row, limit + 1);
      return pageOf(rows, limit, toSession, placeBy('created_at', 'number'));
    },

    async saw(id, at) {
      await ask(statements.sawSession, id, at);
    },

    async end(id, personId) {
      return (await ask(statements.endSession, id, exactText(personId))).length > 0;
    },
  };
  return { sessions, idle: lookups.idle };
}
