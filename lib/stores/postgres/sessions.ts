import type { SessionId, SessionStore } from '../../protocol/index.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { createGroups } from '../groups.ts';
import { exactText } from '../row-text.ts';
import { type Row, toSession } from './rows.ts';
import type { Statement, Statements } from './statements.ts';

/** How the registry accesses the store's database. Errors of `ask` and `withStoreErrors` are store errors. */
type Access = {
  query(statement: Statement, ...values: readonly unknown[]): Promise<Row[]>;
  ask(statement: Statement, ...values: readonly unknown[]): Promise<Row[]>;
  withStoreErrors<Result>(work: () => Promise<Result>): Promise<Result>;
};

/**
 * The registry of sessions, in the store's schema. Concurrent lookups share one round trip.
 *
 * @returns `idle` resolves when no lookup is waiting
 */
export function postgresSessions(
  statements: Statements,
  { query, ask, withStoreErrors }: Access,
): { readonly sessions: SessionStore; idle(): Promise<void> } {
  const lookups = createGroups(async (ids: readonly SessionId[]) => {
    const rows = await query(statements.sessions, ids);
    const found = new Map(rows.map(toSession).map((session) => [session.id, session]));
    return ids.map((id) => found.get(id));
  });
  const sessions: SessionStore = {
    async beginSession({ id, principal, createdAt, lastSeenAt, until }, now) {
      const person = exactText(principal.id);
      const body = JSON.stringify(principal);
      await ask(statements.beginSession, id, person, createdAt, lastSeenAt, until, body, now);
    },

    session: (id) => withStoreErrors(() => lookups.add(id)),

    async sessionsOf({ personId, now, cursor, limit }) {
      const { at, row } =
        cursor === undefined
          ? { at: Number.MAX_SAFE_INTEGER, row: Number.MAX_SAFE_INTEGER }
          : readCursor(cursor);
      const rows = await ask(statements.sessionsOf, exactText(personId), now, at, row, limit + 1);
      return pageOf(rows, limit, toSession, (session) => ({
        at: Number(session.created_at),
        row: Number(session.number),
      }));
    },

    async sawSession(id, at) {
      await ask(statements.sawSession, id, at);
    },

    async endSession(id, personId) {
      return (await ask(statements.endSession, id, exactText(personId))).length > 0;
    },
  };
  return { sessions, idle: lookups.idle };
}
