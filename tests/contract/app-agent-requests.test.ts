import { expect, it } from 'vitest';
import { serveAppRoutes } from '../support/serve-app-routes.ts';

// Requests of agents at the routes of the reference app.

const key = 'the-key-of-the-agent';

it('an agent asks the reference app by its key, and a manager answers, but not with the key of the agent [H9]', async () => {
  const keys = JSON.stringify([{ name: 'Build agent', key, role: 'manager' }]);
  const app = await serveAppRoutes({ COUNTERSIGN_API_KEYS: keys });
  const agent = { authorization: `Bearer ${key}` };
  const request = { title: 'Deploy version 2', arguments: { version: 2 } };
  const asked = await app.send('POST', '/api/approvals', { ...agent, 'idempotency-key': 'one' }, request);
  const { id } = JSON.parse(asked.text).approval;
  const answer = (headers: Readonly<Record<string, string>>) =>
    app.send('POST', `/api/approvals/${id}`, headers, { approved: true });
  expect((await answer(agent)).status).toBe(403);
  const ben = await app.signIn({ name: 'Ben', role: 'member' });
  expect((await answer({ cookie: ben })).status).toBe(404);
  const ada = await app.signIn({ name: 'Ada', role: 'manager' });
  expect((await answer({ cookie: ada })).status).toBe(200);
});
