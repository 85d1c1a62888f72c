import { createFetchHandler } from 'countersign/sse/server';
import { describe, expect, it } from 'vitest';
import type { Authorize } from '../../lib/server/identity/authorize.ts';
import { everyDialect } from '../support/every-plugin.ts';
import { fakeFlow } from './support/fake-flow.ts';

/** What a login that is not checked by a compiler may give for somebody it does not know. */
const nobodies: readonly (readonly [what: string, value: unknown])[] = [
  ['null', null],
  ['nothing', undefined],
  ['true', true],
  ['a text', 'ada'],
  ['a list', ['ada', 'Ada']],
  ['an empty object', {}],
  ['a user without an id', { name: 'Ada' }],
  ['a user without a name', { id: 'ada' }],
  ['a numeric id', { id: 7, name: 'Ada' }],
  ['an empty id', { id: '', name: 'Ada' }],
];

const json = { 'content-type': 'application/json', host: 'localhost' };
const post = (path: string) =>
  new Request(`http://localhost${path}`, { method: 'POST', headers: json, body: '{}' });
const get = (path: string) => new Request(`http://localhost${path}`, { headers: { host: 'localhost' } });

describe('authorize must return a valid principal', () => {
  it.each(nobodies)(
    'refuses %s with 401 at every entry point, before the flow is called',
    async (_what, value) => {
      const logged: string[] = [];
      const keep = (message: string, facts: object) => void logged.push(message + JSON.stringify(facts));
      const flow = fakeFlow({});
      const settings = {
        authorize: (async () => value) as Authorize,
        logger: { warn: keep, error: keep },
        dialects: everyDialect,
      };
      const all = createFetchHandler(flow, settings);
      const read = ['/api/chat', '/api/chat/c/stream', '/api/approvals', '/api/approvals/events'];
      const written = ['/api/chat', '/api/approvals/a'];
      const ofDialects: readonly string[] = [
        '/api/dialects/tool-events',
        '/api/chat/message',
        '/v1/responses',
      ];
      const requests = [...read.map(get), ...[...written, ...ofDialects].map(post)];
      const statuses = await Promise.all(requests.map(async (request) => (await all(request)).status));
      expect(statuses).toEqual(requests.map(() => 401));
      expect(flow.requests).toEqual([]);
      // A login that gives neither null nor a principal is a fault, and its value may hold anything: only its type is logged.
      expect(logged.join().includes('authorize')).toBe(value !== null && value !== undefined);
      expect(logged.join()).not.toMatch(/ada/i);
    },
  );
});
