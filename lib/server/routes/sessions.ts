import { CountersignError, parseSessionId, type Session, type SessionStore } from '../../protocol/index.ts';
import { checkSettings, port } from '../../protocol/settings.ts';
import { systemClock } from '../../protocol/system-clock.ts';
import { isoTime } from '../errors.ts';
import { pageQuery } from '../requests/page-query.ts';
import { createRoute, type Route, type ServerSettings } from '../route.ts';
import { checkServerSettings } from '../server-settings.ts';

const defaultPage = 50;

/** What `createSessionHandlers` takes. */
export type SessionHandlerSettings = ServerSettings & {
  /** The registry that the identity has, too. */
  readonly sessions: SessionStore;
};

/** A session as it travels. Times are ISO 8601 in UTC; `current`: the request belongs to it. */
export type SessionJson = Pick<Session, 'id'> & {
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly until: string;
  readonly current: boolean;
};

/**
 * A person's own sessions as Web handlers, one group a path.
 *
 * | group | path | |
 * |---|---|---|
 * | `sessions` | `/api/sessions` | `GET`: the sessions that count, the newest first |
 * | `session` | `/api/sessions/{id}` | `DELETE`: ends one, on all instances; 404 for one that is not this person's |
 *
 * @throws CountersignError `invalid-settings` for settings that are misspelt or of the wrong kind, and without
 *   `authorize` or `sessions`
 * @source ADR 0012
 */
export function createSessionHandlers({ sessions, ...settings }: SessionHandlerSettings): {
  sessions: { GET: Route };
  session: { DELETE: Route };
} {
  const registry = port('sessionsOf', 'endSession');
  checkSettings('createSessionHandlers', { sessions }, { sessions: registry }, ['sessions']);
  checkServerSettings('createSessionHandlers', settings);
  const { clock = systemClock } = settings;

  const GET = createRoute(settings, async ({ principal, query }) => {
    const { cursor, limit = defaultPage } = pageQuery(query);
    const page = await sessions.sessionsOf({
      personId: principal.id,
      now: clock.now(),
      cursor,
      limit,
    });
    const items = page.items.map((session) => sessionJson(session, principal.sessionId));
    return Response.json({ sessions: items, nextCursor: page.next });
  });

  const DELETE = createRoute(settings, async ({ principal, segment }) => {
    const id = parseSessionId(segment(0));
    if (await sessions.endSession(id, principal.id)) return new Response(null, { status: 204 });
    throw new CountersignError('not-found', `You have no session ${id}.`, { sessionId: id });
  });

  return { sessions: { GET }, session: { DELETE } };
}

/** Field by field: what is not named here does not travel. */
function sessionJson(session: Session, current: string | undefined): SessionJson {
  const { id, createdAt, lastSeenAt, until } = session;
  return {
    id,
    createdAt: isoTime(createdAt),
    lastSeenAt: isoTime(lastSeenAt),
    until: isoTime(until),
    current: id === current,
  };
}
