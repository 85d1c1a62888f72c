import { type SealedEntry, verifyAudit } from 'countersign/audit';
import { describe, expect, it } from 'vitest';
import { auditSchema } from '../../lib/server/routes/audit.ts';
import { questionIn } from '../support/flow-fixture.ts';
import { serveFixture, userHeader } from '../support/serve-fixture.ts';

const auditKey = 'an audit key for tests';
const secret = '4111-secret-card';

/** A server with one chat of Ada's: one payment, approved and made. */
async function served() {
  const script = [[{ call: 'pay', input: { to: secret, amount: 30 } }], [{ text: 'Paid.' }]];
  const fixture = await serveFixture(script, {
    auditKey,
    toolDetails: { pay: { secrets: { input: ['to'] } } },
  });
  const { say, answer } = fixture.chat();
  await answer(questionIn(await say('Pay.')), true);
  const get = (headers: Record<string, string> = {}, chatId = 'chat') =>
    fetch(`${fixture.api}/${chatId}/audit`, { headers });
  return { ...fixture, get };
}

const ndjson = { accept: 'application/x-ndjson' };

describe('GET /api/chat/{chatId}/audit', () => {
  it('returns the entries, and the head to note [S10]', async () => {
    const { get } = await served();
    const response = await get();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { entries, head }: { entries: SealedEntry[]; head: string } = await response.json();
    expect(entries).toMatchObject([
      { type: 'asked', chatId: 'chat', toolName: 'pay', input: { to: '[redacted]', amount: 30 } },
      { type: 'answered', approved: true, by: { id: 'ada', name: 'Ada' }, via: 'test' },
      { type: 'started' },
      { type: 'ended', outcome: 'completed' },
    ]);
    expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();
    expect(JSON.stringify(entries)).not.toContain(secret);
  });

  it('exports the same as NDJSON: one entry per line, then the head [S10]', async () => {
    const { get } = await served();
    const response = await get(ndjson);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const text = await response.text();
    expect(text.endsWith('\n')).toBe(true);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { entries, head } = await (await get()).json();
    expect(lines).toEqual([...entries, { head }]);
  });

  it('matches the schema in the OpenAPI document', async () => {
    const { get } = await served();
    const body = await (await get()).json();
    expect(auditSchema.strict().parse(body)).toEqual(body);
  });

  it('includes a head in the export of a chat without questions', async () => {
    const { get, chat } = await serveFixtureWithoutQuestions();
    await chat('quiet').say('Hello.');
    expect(await (await get('quiet')).text()).toBe('{"head":""}\n');
  });

  it.each([
    ['someone else’s', { [userHeader]: 'eve' }, 'chat', 404, 'not-found'],
    ['an unknown', {}, 'unknown', 404, 'not-found'],
    ['a reserved', {}, '__proto__', 400, 'invalid-request'],
  ])('returns nothing of %s chat, in either format', async (_name, headers, chatId, status, code) => {
    const { get } = await served();
    for (const form of [{}, ndjson]) {
      const response = await get({ ...headers, ...form }, chatId);
      expect(response.status).toBe(status);
      const body = await response.json();
      expect(body).toMatchObject({ error: { code } });
      expect(JSON.stringify(body)).not.toContain('seal');
    }
  });

  it('returns nothing of an erased chat', async () => {
    const { get, api } = await served();
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${api}/chat`, { method: 'DELETE', headers })).status).toBe(204);
    expect((await get()).status).toBe(404);
  });
});

async function serveFixtureWithoutQuestions() {
  const fixture = await serveFixture([[{ text: 'Hello.' }]], { auditKey });
  return {
    ...fixture,
    get: (chatId: string) => fetch(`${fixture.api}/${chatId}/audit`, { headers: ndjson }),
  };
}
