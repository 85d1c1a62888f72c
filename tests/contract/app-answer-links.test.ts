import { describe, expect, it } from 'vitest';
import { readSettings } from '../../app/_server/settings.ts';
import { parseApprovalId } from '../../lib/protocol/index.ts';
import { readPage, sendForm } from '../support/answer-links-fixture.ts';
import { serveAppRoutes } from '../support/serve-app-routes.ts';

const demo = { COUNTERSIGN_DEMO_LOGIN: '1' };

describe('answer links of the app', () => {
  it('are made for oneself, need the sign-in of that person, and answer in two steps [0045.6]', async () => {
    const app = await serveAppRoutes(demo);
    const [ben, ada] = [
      await app.signIn({ name: 'Ben' }),
      await app.signIn({ name: 'Ada', role: 'manager' }),
    ];
    const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Pay Alice 30' }] };
    await app.send('POST', '/api/chat', { cookie: ben }, { id: 'chat', message });
    const [question] = JSON.parse((await app.send('GET', '/api/approvals', { cookie: ben })).text).approvals;
    const body = { approvalId: question.id };
    expect((await app.send('POST', '/api/demo/answer-links', { cookie: ada }, body)).status).toBe(404);
    const made = await app.send('POST', '/api/demo/answer-links', { cookie: ben }, body);
    const path = new URL(JSON.parse(made.text).url).pathname;
    const url = `${app.url}${path}`;

    const asBen = { headers: { cookie: ben } };
    expect((await readPage(url, { headers: { cookie: ada } })).status).toBe(403);
    const shown = await readPage(url, asBen);
    expect(shown.html).toContain('You answer as Ben.');
    const review = await sendForm(url, { ...shown.fields, answer: 'deny' }, asBen);
    expect((await sendForm(url, review.fields, { headers: { cookie: ada } })).status).toBe(403);
    expect((await sendForm(url, review.fields, asBen)).status).toBe(303);
    const approvalId = parseApprovalId(question.id);
    const answered = await app.instance.flow.approvals.read({
      principal: { id: 'user:ben', name: 'Ben' },
      approvalId,
    });
    expect(answered.answer).toMatchObject({ approved: false, via: 'link', by: { id: 'user:ben' } });
  });

  it.each([
    [{}, 'http://127.0.0.1:3000'],
    [{ HOST: '::1', PORT: '8080' }, 'http://[::1]:8080'],
    [{ HOST: '0.0.0.0' }, undefined],
    [{ HOST: '0.0.0.0', COUNTERSIGN_URL: 'https://app.example.com' }, 'https://app.example.com'],
  ])('lead to the address in the environment %j: %s [H-Configuration]', (environment, url) => {
    expect(readSettings({ COUNTERSIGN_SECRET: 'a secret of these tests', ...environment }).url).toBe(url);
  });

  it.each([
    'http://app.example.com',
    'https://app.example.com/',
    'https://app.example.com/answer',
    'app.example.com',
  ])('refuse %s at startup, by name [H-Configuration]', (url) => {
    expect(() => readSettings({ COUNTERSIGN_SECRET: 'a secret', COUNTERSIGN_URL: url })).toThrow(
      /COUNTERSIGN_URL/,
    );
  });
});
