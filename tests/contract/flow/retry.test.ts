import { fakeClock } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { acting, outcomeOf, phases } from '../../support/acting-tool.ts';

const withFields = (fields: object, message = 'failed') => Object.assign(new Error(message), fields);
const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });

const transient: [string, () => unknown, 'ambiguous' | 'not done'][] = [
  ['status 429', () => withFields({ status: 429 }), 'not done'],
  ['statusCode 503', () => withFields({ statusCode: 503 }), 'not done'],
  ['status 504', () => withFields({ status: 504 }), 'not done'],
  ['status 502', () => withFields({ status: 502 }), 'not done'],
  ['the status of a response', () => withFields({ response: { status: 503 } }), 'not done'],
  [
    'the status of a fetched response',
    () => withFields({ response: new Response(null, { status: 502 }) }),
    'not done',
  ],
  ['an unknown host', () => fetchFailed(withFields({ code: 'ENOTFOUND' })), 'not done'],
  ['a name server that is not ready', () => withFields({ code: 'EAI_AGAIN' }), 'not done'],
  [
    'Retry-After',
    () => withFields({ status: 500, response: { headers: { 'Retry-After': '1' } } }),
    'not done',
  ],
  ['ECONNREFUSED', () => withFields({ code: 'ECONNREFUSED' }), 'not done'],
  ['ECONNRESET', () => withFields({ code: 'ECONNRESET' }), 'ambiguous'],
  ['ETIMEDOUT', () => withFields({ code: 'ETIMEDOUT' }), 'ambiguous'],
  ['EPIPE', () => withFields({ code: 'EPIPE' }), 'ambiguous'],
  ['ESOCKETTIMEDOUT', () => withFields({ code: 'ESOCKETTIMEDOUT' }), 'ambiguous'],
  ['a signal’s timeout', () => new DOMException('The operation timed out.', 'TimeoutError'), 'ambiguous'],
  ['fetch, refused', () => fetchFailed(withFields({ code: 'ECONNREFUSED' })), 'not done'],
  [
    'fetch, refused on every address',
    () => fetchFailed(Object.assign(new AggregateError([new Error('::1')]), { code: 'ECONNREFUSED' })),
    'not done',
  ],
  ['fetch, reset', () => fetchFailed(withFields({ code: 'ECONNRESET' })), 'ambiguous'],
  ['fetch, socket closed', () => fetchFailed(withFields({ code: 'UND_ERR_SOCKET' })), 'ambiguous'],
  ['fetch, no headers', () => fetchFailed(withFields({ code: 'UND_ERR_HEADERS_TIMEOUT' })), 'ambiguous'],
  [
    'a cause of a cause',
    () => new Error('a', { cause: new Error('b', { cause: { status: 503 } }) }),
    'not done',
  ],
];

const lasting: [string, () => unknown][] = [
  ['status 400', () => withFields({ status: 400 })],
  ['status 401', () => withFields({ status: 401 })],
  ['status 404', () => withFields({ statusCode: 404 })],
  ['status 500', () => withFields({ status: 500 })],
  ['a plain error that mentions 503', () => new Error('503 Service Unavailable')],
  ['a string', () => 'no'],
  ['nothing', () => undefined],
];

const idempotent = { details: { idempotent: true } };

describe('one retry of a transient failure of an idempotent tool [A10]', () => {
  it.each(transient)('%s: is retried after 1 s, once, and then succeeds [A10]', async (_what, fault) => {
    let tries = 0;
    const { run, clock, events } = acting(() => {
      tries += 1;
      if (tries === 1) throw fault();
      return 'well';
    }, idempotent);
    const response = run();
    await clock.timer(1_000);
    clock.advance(999);
    expect(tries).toBe(1);
    clock.advance(1);
    expect(outcomeOf(await response)).toMatchObject({ type: 'tool-output-available', output: 'well' });
    expect(tries).toBe(2);
    const log = await events();
    expect(log.filter((event) => event.type === 'tool-started')).toHaveLength(1);
    expect(log.find((event) => event.type === 'tool-completed')).toMatchObject({ durationMs: 1_000 });
    expect(phases(await response)).toEqual(['requested', 'started', 'retrying', 'completed']);
  });

  it.each<[string, object]>([
    ['in seconds, of a response', { response: new Response(null, { headers: { 'retry-after': '5' } }) }],
    ['in seconds, of the AI SDK', { responseHeaders: { 'retry-after': '5' } }],
    ['as a date', { headers: { 'Retry-After': new Date(fakeClock().now() + 5_000).toUTCString() } }],
  ])('waits as long as the service asks: %s [A10]', async (_what, fields) => {
    let tries = 0;
    const { run, clock } = acting(() => {
      tries += 1;
      if (tries === 1) throw withFields({ status: 429, ...fields });
      return 'well';
    }, idempotent);
    const response = run();
    await clock.timer(5_000);
    expect(tries).toBe(1);
    clock.advance(5_000);
    expect(outcomeOf(await response)).toMatchObject({ type: 'tool-output-available', output: 'well' });
  });

  it('does not wait longer than 30 s: the call has failed [A10]', async () => {
    let tries = 0;
    const { run } = acting(() => {
      tries += 1;
      throw withFields({ status: 429, responseHeaders: { 'retry-after': '31' } });
    }, idempotent);
    expect(outcomeOf(await run())).toMatchObject({ type: 'tool-output-error' });
    expect(tries).toBe(1);
  });

  it('both attempts fail: one error says that it was retried [A9, A10]', async () => {
    let tries = 0;
    const { run, clock, events } = acting(() => {
      tries += 1;
      throw withFields({ status: 503, isRetryable: true }, `Down (${tries}).`);
    }, idempotent);
    const response = run();
    await clock.timer(1_000);
    clock.advance(1_000);
    expect(outcomeOf(await response)).toMatchObject({ type: 'tool-output-error', errorText: 'Down (2).' });
    expect(tries).toBe(2);
    const [failed] = (await events()).filter((event) => event.type === 'tool-failed');
    expect(failed).toMatchObject({ wasRetried: true, retryable: true, durationMs: 1_000 });
  });

  it.each(lasting)('%s is never retried [A10]', async (_what, fault) => {
    let tries = 0;
    const { run, events } = acting(() => {
      tries += 1;
      throw fault();
    }, idempotent);
    expect(outcomeOf(await run())).toMatchObject({ type: 'tool-output-error' });
    expect(tries).toBe(1);
    const [failed] = (await events()).filter((event) => event.type === 'tool-failed');
    expect(failed).toMatchObject({ wasRetried: false, retryable: false });
  });

  it.each<[string, Parameters<typeof acting>[1]]>([
    ['a tool that is not marked idempotent', {}],
    ['a flow that never retries', { ...idempotent, settings: { retry: false } }],
    ['a gated tool', { gated: true }],
    ['a tool that was approved by a rule', { settings: { toolApproval: { act: 'approved' } as never } }],
  ])('%s is not retried [A10]', async (_what, more) => {
    let tries = 0;
    const { run } = acting(() => {
      tries += 1;
      throw withFields({ status: 503 }, 'Busy.');
    }, more);
    expect(outcomeOf(await run())).toMatchObject({ type: 'tool-output-error', errorText: 'Busy.' });
    expect(tries).toBe(1);
  });

  it.each(transient.filter(([, , effect]) => effect === 'ambiguous'))(
    'records the outcome as unknown after %s of a tool that is not idempotent [A10]',
    async (_what, fault) => {
      for (const gated of [true, false]) await expectUnknown(fault, gated);
    },
  );

  async function expectUnknown(fault: () => unknown, gated: boolean) {
    let tries = 0;
    const { run, model, events } = acting(
      () => {
        tries += 1;
        throw fault();
      },
      { gated },
    );
    expect(outcomeOf(await run())).toMatchObject({
      type: 'tool-output-error',
      errorText: expect.stringMatching(/^outcome-unknown:/),
    });
    expect(tries).toBe(1);
    expect(JSON.stringify(model.calls[1]?.prompt.at(-1))).toContain('outcome-unknown:');
    expect((await events()).find((event) => event.type === 'tool-failed')).toMatchObject({
      outcome: 'unknown',
    });
  }

  it('retries a tool once automatically even if people may not retry it [A11]', async () => {
    let tries = 0;
    const { run, clock, events } = acting(
      () => {
        tries += 1;
        throw withFields({ status: 503, isRetryable: true });
      },
      { details: { idempotent: true, retryable: false } },
    );
    const response = run();
    await clock.timer(1_000);
    clock.advance(1_000);
    await response;
    expect(tries).toBe(2);
    expect((await events()).find((event) => event.type === 'tool-failed')).toMatchObject({
      retryable: false,
      wasRetried: true,
      outcome: 'failed',
    });
  });

  it.each(transient)('retries %s of a gated idempotent tool [A10]', async (_what, fault) => {
    const ids: unknown[] = [];
    const { run, clock } = acting(
      (_input, options) => {
        ids.push((options as { toolCallId?: string }).toolCallId);
        if (ids.length === 1) throw fault();
        return 'well';
      },
      { gated: true, details: { idempotent: true } },
    );
    const response = run();
    await clock.timer(1_000);
    clock.advance(1_000);
    expect(outcomeOf(await response)).toMatchObject({ output: 'well' });
    expect(ids).toEqual(['call-0-0', 'call-0-0']);
  });
});
