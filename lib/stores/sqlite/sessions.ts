import type { SessionStore } from '../../protocol/index.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { exactText } from '../row-text.ts';
import { toSession } from './rows.ts';
import type { Statements } from './statements.ts';

/** Runs work on the database when no other process holds its lock. Errors are store errors. */
type Ask = <Result>(work: () => Result) => Promise<Result>;

/** The registry of sessions, in the store's file. */
export function sqliteSessions(statements: Statements, ask: Ask): SessionStore {
  return {
    beginSession: ({ id, principal, createdAt, lastSeenAt, until }, now) =>
      ask(() => {
        statements.forgetSessions.run(now);
        const person = exactText(principal.id);
        statements.beginSession.run(id, person, createdAt, lastSeenAt, until, JSON.stringify(principal));
      }),

    session: (id) =>
      ask(() => {
        const row = statements.session.get(id);
        return row && toSession(row);
      }),

    sessionsOf: ({ personId, now, cursor, limit }) =>
      ask(() => {
        const { at, row } =
          cursor === undefined
            ? { at: Number.MAX_SAFE_INTEGER, row: Number.MAX_SAFE_INTEGER }
            : readCursor(cursor);
        const rows = statements.sessionsOf.all(exactText(personId), now, at, row, limit + 1);
        return pageOf(rows, limit, toSession, (session) => ({
          at: Number(session.created_at),
          row: Number(session.number),
        }));
      }),

    sawSession: (id, at) =>
      ask(() => {
        statements.sawSession.run(at, id, at);
      }),

    endSession: (id, personId) => ask(() => statements.endSession.run(id, exactText(personId)).changes > 0),
  };
}
