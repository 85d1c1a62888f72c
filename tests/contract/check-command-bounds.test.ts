import { describe, expect, it, onTestFinished } from 'vitest';
import { type Bounds, BudgetSpent, createBudget } from '../../lib/cli/check/budget.ts';
import { checkWire } from '../../lib/cli/check/check-wire.ts';
import { sseWire } from '../../lib/cli/check/wire/sse-wire.ts';
import { startBackend } from '../../lib/testing/backends/start-backend.ts';
import { serve } from '../../lib/testing/server/serve.ts';

const bounds: Bounds = { requests: 60, milliseconds: 60_000, requestMilliseconds: 200 };

/** The time of a request is over when the test says so. */
function manualTiming() {
  let current = new AbortController();
  return {
    now: () => 0,
    timeout: () => {
      current = new AbortController();
      return current.signal;
    },
    expire: () => current.abort(),
  };
}

/** A sound backend that leaves some requests without any reply. */
async function serveSilent(isSilent: (body: string, post: number) => boolean) {
  const backend = await startBackend();
  const timing = manualTiming();
  const leaving = Promise.withResolvers<Response>();
  let posts = 0;
  const server = await serve({
    async fetch(request) {
      const { method, url } = request;
      const body = method === 'POST' ? await request.text() : undefined;
      if (body !== undefined && isSilent(body, ++posts)) {
        timing.expire();
        return leaving.promise;
      }
      const headers = { 'content-type': 'application/json' };
      return fetch(`${backend.url}${new URL(url).pathname}`, { method, headers, body });
    },
  });
  onTestFinished(async () => {
    leaving.resolve(new Response(null));
    await server.close();
    await backend.close();
  });
  return { url: `${server.url}/api/chat`, timing };
}

function check({ url, timing }: Awaited<ReturnType<typeof serveSilent>>) {
  const budget = createBudget(bounds, timing);
  const settings = { headers: {}, prompts: ['Pay.'], release: 'final', clientTools: new Map() } as const;
  return checkWire(sseWire(url, {}), budget, { url, ...settings, say: () => {} });
}

describe('countersign check and an unresponsive backend', () => {
  it('fails a response that never ends, and continues', async () => {
    const { findings, cutShort } = await check(await serveSilent((_body, post) => post === 3));
    expect(cutShort).toBeUndefined();
    const failed = findings.filter(({ status }) => status === 'fail');
    expect(failed.map(({ rule, evidence }) => [rule, evidence[0]?.message])).toEqual([
      ['T3', 'the response did not end within 0.2 s'],
    ]);
  });

  it('fails malformed requests without a reply', async () => {
    const { findings } = await check(await serveSilent((body) => body === '[]'));
    const failed = findings.filter(({ status }) => status === 'fail');
    expect(failed).toMatchObject([{ rule: 'H1', evidence: [{ where: 'a list as the body' }] }]);
  });

  it('fails a backend that stops responding after malformed requests', async () => {
    let silenced = false;
    const silent = await serveSilent((body) => {
      silenced ||= body === '[]';
      return silenced && body.includes('approval-responded');
    });
    const { findings } = await check(silent);
    const failed = findings.filter(({ status }) => status === 'fail');
    expect(failed).toMatchObject([
      { rule: 'H1', evidence: [{ where: 'an answer after malformed requests' }] },
    ]);
  });

  it('cannot check a backend that never responds', async () => {
    await expect(check(await serveSilent(() => true))).rejects.toThrow('There was no response within 0.2 s.');
  });
});

describe('the budget of countersign check', () => {
  it('limits the number of requests', () => {
    const budget = createBudget({ ...bounds, requests: 2 }, manualTiming());
    budget.take();
    budget.take();
    expect(budget.used).toBe(2);
    expect(() => budget.take()).toThrow(new BudgetSpent('the 2 requests are used up'));
  });

  it('limits the time', () => {
    let now = 1_000;
    const budget = createBudget({ ...bounds, milliseconds: 5_000 }, { ...manualTiming(), now: () => now });
    now = 5_999;
    budget.take();
    budget.assertTime();
    now = 6_000;
    expect(() => budget.assertTime()).toThrow(new BudgetSpent('the 5 seconds are used up'));
    expect(() => budget.take()).toThrow(BudgetSpent);
  });
});
