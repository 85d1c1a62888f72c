import { describe, expect, it } from 'vitest';
import { acting, outcomeOf } from '../../support/acting-tool.ts';
import { untilIdle } from '../../support/until-idle.ts';

/** A call of a tool that hangs, with a limit of one minute. */
async function timedOut(details: object, gated = false) {
  const started = Promise.withResolvers<AbortSignal | undefined>();
  let runs = 0;
  const chat = acting(
    (_input, { abortSignal }) => {
      runs += 1;
      started.resolve(abortSignal);
      return Promise.withResolvers<string>().promise;
    },
    { gated, details: { timeoutMs: 60_000, ...details } },
  );
  const response = chat.run();
  const signal = await started.promise;
  chat.clock.advance(59_999);
  expect(signal?.aborted).toBe(false);
  chat.clock.advance(1);
  expect(signal?.reason).toMatchObject({ name: 'TimeoutError' });
  const outcome = outcomeOf(await response);
  const end = (await chat.events()).find((event) => event.type === 'tool-failed');
  return { outcome, end, runs, model: chat.model };
}

describe('a tool’s time limit', () => {
  it.each([true, false])(
    'makes the outcome of a call unknown if it may have had an effect (gated: %s)',
    async (gated) => {
      const { outcome, end, runs, model } = await timedOut({}, gated);
      expect(outcome).toMatchObject({
        errorText: 'outcome-unknown: the tool did not answer within its limit of 60000 ms.',
      });
      expect(end).toMatchObject({ outcome: 'unknown', retryable: false, durationMs: 60_000 });
      expect(runs).toBe(1);
      expect(JSON.stringify(model.calls[1]?.prompt.at(-1))).toContain('60000 ms');
    },
  );

  it('fails an idempotent call with an error that names the limit, and allows a retry', async () => {
    const { outcome, end, runs } = await timedOut({ idempotent: true });
    expect(outcome).toMatchObject({ errorText: 'The tool did not answer within its limit of 60000 ms.' });
    expect(end).toMatchObject({ outcome: 'failed', retryable: true });
    expect(runs).toBe(1);
  });

  it('does not affect a tool that answers in time', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const { run, clock } = acting(
      (_input, { abortSignal }) => {
        signals.push(abortSignal);
        return 'well';
      },
      { details: { timeoutMs: 60_000 } },
    );
    expect(outcomeOf(await run())).toMatchObject({ output: 'well' });
    clock.advance(120_000);
    expect(signals.map((signal) => signal?.aborted)).toEqual([false]);
  });

  it.each<[string, (tool: PromiseWithResolvers<string>) => void, object | undefined]>([
    ['a result', ({ resolve }) => resolve('paid'), { outcome: 'completed', output: 'paid' }],
    ['a failure', ({ reject }) => reject(new Error('No funds.')), { outcome: 'failed', error: 'No funds.' }],
    ['an abort', ({ reject }) => reject(new DOMException('Aborted.', 'AbortError')), undefined],
    [
      'a reset',
      ({ reject }) => reject(Object.assign(new Error('The line was cut.'), { code: 'ECONNRESET' })),
      undefined,
    ],
  ])(
    'is followed by %s, which replaces the unknown outcome if it says what happened',
    async (_what, end, news) => {
      const tool = Promise.withResolvers<string>();
      const started = Promise.withResolvers<void>();
      const { run, clock, events, say } = acting(
        () => {
          started.resolve();
          return tool.promise;
        },
        { details: { timeoutMs: 60_000 } },
      );
      const response = run();
      await started.promise;
      clock.advance(60_000);
      await response;
      end(tool);
      await untilIdle();
      await say('And now?');
      const late = (await events()).filter(({ type }) => type === 'outcome-resolved');
      expect(late).toMatchObject(news ? [{ source: 'late', ...news }] : []);
    },
  );

  it('ends a tool’s reports with its attempt', async () => {
    const resume = Promise.withResolvers<void>();
    const reported = Promise.withResolvers<void>();
    const { run, clock, events } = acting(
      async function* () {
        yield 'first';
        reported.resolve();
        await resume.promise;
        yield 'late';
      },
      { details: { timeoutMs: 60_000, idempotent: true } },
    );
    const response = run();
    await reported.promise;
    clock.advance(60_000);
    await response;
    resume.resolve();
    await untilIdle();
    expect((await events()).filter(({ type }) => type === 'tool-progressed')).toHaveLength(1);
  });
});
