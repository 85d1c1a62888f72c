import type { Page } from './chat.ts';
import type { SessionId } from './ids.ts';
import type { Principal } from './principal.ts';

/** One sign-in of one person. Times are epoch milliseconds. */
export type Session = {
  /** Names the session in lists and in the audit record. Grants nothing by itself. */
  readonly id: SessionId;
  /** Who signed in: what `authorize` gives for requests of this session, as JSON. */
  readonly principal: Principal;
  readonly createdAt: number;
  /** When a request of this session was last recorded. May be minutes behind. */
  readonly lastSeenAt: number;
  /** The session counts before this time. */
  readonly until: number;
};

/**
 * The registry of sessions. `sqliteStore` and `postgresStore` implement it beside `FlowStore`; every implementation
 * passes the same contract suite. On a shared database all instances see the same sessions.
 *
 * Methods throw CountersignError `internal` when the database fails.
 *
 * @source ADR 0012
 */
export type SessionStore = {
  /**
   * Records a session, and forgets sessions of anybody whose `until` has come. Recorded twice, the first one stands.
   *
   * @param now epoch milliseconds
   */
  beginSession(session: Session, now: number): Promise<void>;
  /** A session that has not been ended; `until` may have come. One lookup by an index. */
  session(id: SessionId): Promise<Session | undefined>;
  /** A person's sessions whose `until` is after `now`, the newest first. */
  sessionsOf(query: {
    personId: string;
    now: number;
    cursor?: string;
    limit: number;
  }): Promise<Page<Session>>;
  /** Moves `lastSeenAt` forward, never back. Nothing happens when there is no such session. */
  sawSession(id: SessionId, at: number): Promise<void>;
  /** Ends a session of this person, for good. False when the person has none with this id. */
  endSession(id: SessionId, personId: string): Promise<boolean>;
};
