import type { SessionStore } from '../../../protocol/index.ts';
import { lastPlace, pageOf, placeBy, readCursor } from '../../cursor.ts';
import { exactText } from '../../row-text.ts';
import { toSession } from '../../rows.ts';
import type { Access } from '../access.ts';

export function sqliteSessions({ statements, ask }: Access): SessionStore {
  return {
    begin: ({ id, principal, createdAt, lastSeenAt, until }, now) =>
      ask(() => {
        statements.forgetSessions.run(now);
        const person = exactText(principal.id);
        statements.beginSession.run(id, person, createdAt, lastSeenAt, until, JSON.stringify(principal));
      }),

    read: (id) =>
      ask(() => {
        const row = statements.session.get(id);
        return row && toSession(row);
      }),

    list: ({ personId, now, cursor, limit }) =>
      ask(() => {
        const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
        const rows = statements.sessionsOf.all(exactText(personId), now, at, row, limit + 1);
        return pageOf(rows, limit, toSession, placeBy('created_at', 'number'));
      }),

    saw: (id, at) =>
      ask(() => {
        statements.sawSession.run(at, id, at);
      }),

    end: (id, personId) => ask(() => statements.endSession.run(id, exactText(personId)).changes > 0),
  };
}
