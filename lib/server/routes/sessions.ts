import { z } from 'zod';
import type { Route } from '../../flow/plugin/http.ts';
import { systemClock } from '../../protocol/clock/system-clock.ts';
import { CountersignError, parseSessionId, type Session, type SessionStore } from '../../protocol/index.ts';
import { checkSettings, port } from '../../protocol/settings.ts';
import { timeSchema } from '../../protocol/wire/time.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { isoTime } from '../errors.ts';
import { pageQuery } from '../requests/page-query.ts';
import { createRoute, type ServerSettings } from '../route.ts';
import { checkServerSettings } from '../server-settings.ts';

const defaultPage = 50;

/** Settings of `createSessionHandlers`. */
export type SessionHandlerSettings = ServerSettings & {
  /** The same registry as that of the identity. */
  readonly sessions: SessionStore;
};

export const sessionsSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      createdAt: timeSchema,
      lastSeenAt: timeSchema.describe('Up to five minutes behind.'),
      until: timeSchema,
      current: z.boolean().describe('The request belongs to this session.'),
    }),
  ),
  nextCursor: z.string().optional(),
});

type SessionsJson = Immutable<z.infer<typeof sessionsSchema>>;

/**
 * A person's own sessions as Web handlers, one group per path.
 *
 * | group | path | |
 * |---|---|---|
 * | `sessions` | `/api/sessions` | `GET`: the valid sessions, newest first |
 * | `session` | `/api/sessions/{id}` | `DELETE`: ends one, on all instances; 404 for one that is not this person's |
 *
 * @throws CountersignError `invalid-settings` for settings that are misspelled or of the wrong type, and
 *   without `authorize` or `sessions`
 * @source ADR 0012
 */
export function createSessionHandlers({ sessions, ...settings }: SessionHandlerSettings): {
  sessions: { GET: Route };
  session: { DELETE: Route };
} {
  const registry = port('list', 'end');
  checkSettings('createSessionHandlers', { sessions }, { sessions: registry }, ['sessions']);
  checkServerSettings('createSessionHandlers', settings);
  const { clock = systemClock } = settings;

  const GET = createRoute(settings, async ({ principal, query }) => {
    const { cursor, limit = defaultPage } = pageQuery(query);
    const page = await sessions.list({ personId: principal.id, now: clock.now(), cursor, limit });
    const items = page.items.map((session) => sessionJson(session, principal.sessionId));
    return Response.json({ sessions: items, nextCursor: page.next } satisfies SessionsJson);
  });

  const DELETE = createRoute(settings, async ({ principal, segment }) => {
    const id = parseSessionId(segment(0));
    if (await sessions.end(id, principal.id)) return new Response(null, { status: 204 });
    throw new CountersignError('not-found', `You have no session ${id}.`, { sessionId: id });
  });

  return { sessions: { GET }, session: { DELETE } };
}

function sessionJson(session: Session, current: string | undefined): SessionsJson['sessions'][number] {
  const { id, createdAt, lastSeenAt, until } = session;
  return {
    id,
    createdAt: isoTime(createdAt),
    lastSeenAt: isoTime(lastSeenAt),
    until: isoTime(until),
    current: id === current,
  };
}
