import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { retrying } from '../../../lib/dialects/client/backoff.ts';
import { DialectError } from '../../../lib/dialects/client/error.ts';

class Refusal extends DialectError {}

const refused = (status: number, retryAfterMs?: number) =>
  new Refusal('code', 'No.', { status, retryAfterMs });

/** Repeats with a fake clock. @returns when each attempt began, in milliseconds, and how it ended */
async function played(act: (attempt: number) => Promise<'done' | 'again' | 'failed'>, signal = neverAborted) {
  const begun: number[] = [];
  const ended = retrying({
    signal,
    // A timer without a delay takes a millisecond.
    act: () => act(begun.push(Math.floor(Date.now() / 10) * 10)),
    onWait: () => {},
    lost: () => refused(0),
  }).then(
    () => 'done',
    (error: unknown) => error,
  );
  await vi.advanceTimersByTimeAsync(600_000);
  return { begun, end: await ended };
}

const neverAborted = new AbortController().signal;

describe('the backoff of the client classes', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it('waits longer after each failure, at most eight seconds, and gives up after ten repetitions [B15]', async () => {
    const { begun, end } = await played(async () => 'failed');
    const waits = begun.slice(1).map((time, index) => time - (begun[index] ?? 0));
    expect(waits).toEqual([0, 250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
    expect(end).toMatchObject({ status: 0 });
  });

  it('begins again with its waits when a connection came further [B15]', async () => {
    const outcomes = ['failed', 'failed', 'again', 'failed', 'done'] as const;
    const { begun, end } = await played(async (attempt) => outcomes[attempt - 1] ?? 'failed');
    expect({ begun, end }).toEqual({ begun: [0, 0, 250, 250, 500], end: 'done' });
  });

  it.each([0, 429, 502, 503, 504])('repeats after status %i [B15]', async (status) => {
    const { begun } = await played(async (attempt) => {
      if (attempt === 1) throw refused(status, 3_000);
      return 'done';
    });
    expect(begun).toEqual([0, 3_000]);
  });

  it.each([400, 401, 404, 409, 500])('does not repeat after status %i [B15]', async (status) => {
    const { begun, end } = await played(() => Promise.reject(refused(status)));
    expect({ begun, end }).toEqual({ begun: [0], end: refused(status) });
  });

  it('shows an error of the program as it is, and ends when it is cancelled [B15]', async () => {
    const wrong = new TypeError('This is not a function.');
    expect((await played(() => Promise.reject(wrong))).end).toBe(wrong);
    const { begun, end } = await played(async () => 'failed', AbortSignal.abort());
    expect({ begun, end }).toEqual({ begun: [], end: 'done' });
  });
});
