import { createConcurrencyLimit } from 'countersign/http/server';
import { describe, expect, it } from 'vitest';

const ada = { id: 'ada', name: 'Ada' };
const eve = { id: 'eve', name: 'Eve' };

describe('a concurrency limit', () => {
  it('counts each principal and each kind separately', () => {
    const { acquire } = createConcurrencyLimit({ feeds: 1, sockets: 1, requests: 1 });
    for (const principal of [ada, eve])
      for (const counted of ['feeds', 'sockets', 'requests'] as const) acquire(counted, principal);
    const refusal = { code: 'rate-limited', fields: { retryAfterMs: 1_000 } };
    for (const counted of ['feeds', 'sockets', 'requests'] as const)
      expect(() => acquire(counted, ada)).toThrow(expect.objectContaining(refusal));
  });

  it('frees one slot for one release, however often it is called', () => {
    const { acquire } = createConcurrencyLimit({ feeds: 2 });
    const first = acquire('feeds', ada);
    acquire('feeds', ada);
    first();
    first();
    acquire('feeds', ada);
    expect(() => acquire('feeds', ada)).toThrow('2 of your feeds are open.');
    first();
    expect(() => acquire('feeds', ada)).toThrow('2 of your feeds are open.');
  });

  it('counts only by id, so the same user with another name or role gets no more slots', () => {
    const { acquire } = createConcurrencyLimit({ sockets: 1 });
    acquire('sockets', ada);
    expect(() => acquire('sockets', { ...ada, name: 'Someone', role: 'manager' })).toThrow();
  });
});
