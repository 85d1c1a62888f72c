import { expect, it } from 'vitest';
import { parseSessionId, type Session } from '../../lib/protocol/index.ts';
import type { UseStore } from './store-contract.ts';

/** The registry of sessions: begun, looked up, listed by person, ended for good. */
export function sessionsContract(use: UseStore): void {
  const ana = { id: 'ana', name: 'Ana' };
  const idsOf = (sessions: readonly Session[]) => sessions.map(({ id }) => id as string);
  const sessionOf = (id: string, wish: Partial<Session> = {}): Session => ({
    id: parseSessionId(id),
    principal: ana,
    createdAt: 1_000,
    lastSeenAt: 1_000,
    until: 9_000,
    ...wish,
  });
  const begin = async (...sessions: Session[]) => {
    for (const session of sessions) await use().sessions.begin(session, 0);
  };

  it('returns a session as it was started, by its id', async () => {
    const principal = {
      id: 'zoë \u0000 \ud800',
      name: 'Zoë',
      role: 'manager',
      authenticatedAt: 5,
      more: [1],
    };
    const whole = sessionOf('a', { principal });
    await begin(whole, sessionOf('b'));
    expect(await use().sessions.read(whole.id)).toEqual(whole);
    expect(await use().sessions.read(parseSessionId('unknown'))).toBeUndefined();
    const asked = ['b', 'unknown', 'a', 'b'].map(parseSessionId);
    const found = await Promise.all(asked.map((id) => use().sessions.read(id)));
    expect(found.map((session) => session?.id)).toEqual(['b', undefined, 'a', 'b']);
  });

  it('keeps the first session with an id', async () => {
    await begin(sessionOf('a'), sessionOf('a', { principal: { id: 'eve', name: 'Eve' } }));
    expect(await use().sessions.read(parseSessionId('a'))).toEqual(sessionOf('a'));
  });

  it('ends a session permanently for the person it belongs to', async () => {
    await begin(sessionOf('a'), sessionOf('b'));
    const id = parseSessionId('a');
    expect(await use().sessions.end(id, 'eve')).toBe(false);
    expect(await use().sessions.read(id)).toBeDefined();
    expect(await use().sessions.end(id, ana.id)).toBe(true);
    expect(await use().sessions.end(id, ana.id)).toBe(false);
    expect(await use().sessions.read(id)).toBeUndefined();
    expect(idsOf((await use().sessions.list({ personId: ana.id, now: 0, limit: 9 })).items)).toEqual(['b']);
  });

  it('does not restore a session that ended during a request', async () => {
    await begin(sessionOf('a'));
    const id = parseSessionId('a');
    await use().sessions.end(id, ana.id);
    await use().sessions.saw(id, 2_000);
    expect(await use().sessions.read(id)).toBeUndefined();
  });

  it('lists one person’s valid sessions, newest first, by page', async () => {
    const at = [1_000, 2_000, 2_000, 3_000];
    await begin(...at.map((createdAt, index) => sessionOf(`s${index}`, { createdAt })));
    await begin(sessionOf('theirs', { principal: { id: 'bob', name: 'Bob' }, createdAt: 5_000 }));
    await begin(sessionOf('over', { createdAt: 6_000, until: 7_000 }));
    const query = { personId: ana.id, now: 7_000, limit: 2 };
    const first = await use().sessions.list(query);
    expect(idsOf(first.items)).toEqual(['s3', 's2']);
    const second = await use().sessions.list({ ...query, cursor: first.next });
    expect(idsOf(second.items)).toEqual(['s1', 's0']);
    expect(second.next).toBeUndefined();
    expect(await use().sessions.list({ ...query, personId: 'nobody' })).toEqual({ items: [] });
    await expect(use().sessions.list({ ...query, cursor: 'x' })).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });

  it('moves the time a session was last seen forward, and never back', async () => {
    await begin(sessionOf('a'));
    const id = parseSessionId('a');
    await use().sessions.saw(id, 5_000);
    await use().sessions.saw(id, 3_000);
    expect(await use().sessions.read(id)).toMatchObject({
      createdAt: 1_000,
      lastSeenAt: 5_000,
      until: 9_000,
    });
  });

  it('removes expired sessions when another one starts', async () => {
    await begin(sessionOf('over', { until: 2_000 }), sessionOf('last', { until: 2_001 }));
    await use().sessions.begin(sessionOf('new'), 2_000);
    expect(await use().sessions.read(parseSessionId('over'))).toBeUndefined();
    expect(await use().sessions.read(parseSessionId('last'))).toBeDefined();
  });
}
