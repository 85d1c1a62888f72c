import type { Page } from './chat.ts';
import type { SessionId } from './ids/ids.ts';
import type { Principal } from './principal.ts';

/** One sign-in of one person. Times are epoch milliseconds. */
export type Session = {
  /** Identifies the session in lists and in the audit record. It is not a credential. */
  readonly id: SessionId;
  /** The person who signed in: the principal that `authorize` returns for requests of this session, as JSON. */
  readonly principal: Principal;
  readonly createdAt: number;
  /** When the last request of this session was recorded. May be several minutes old. */
  readonly lastSeenAt: number;
  /** The session expires at this time. */
  readonly until: number;
};

/**
 * The registry of sessions: `sessions` of `sqliteStore` and `postgresStore`, beside `FlowStore`. Every
 * implementation passes the same contract suite. On a shared database all instances see the same sessions.
 *
 * Methods throw CountersignError `internal` when the database fails.
 *
 * @source ADR 0012
 */
export type SessionStore = {
  /**
   * Records a session and deletes all expired sessions. Recording the same session again has no effect.
   *
   * @param now epoch milliseconds
   */
  begin(session: Session, now: number): Promise<void>;
  /** A session that has not been ended. It may have expired. One indexed lookup. */
  read(id: SessionId): Promise<Session | undefined>;
  /** A person's sessions that expire after `now`, newest first. */
  list(query: { personId: string; now: number; cursor?: string; limit: number }): Promise<Page<Session>>;
  /** Moves `lastSeenAt` forward, never back. Does nothing if the session does not exist. */
  saw(id: SessionId, at: number): Promise<void>;
  /** Ends a session of this person permanently. Returns false if the person has no session with this id. */
  end(id: SessionId, personId: string): Promise<boolean>;
};
