import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../lib/client/chat/requests/request-failure.ts';
import { postAnswer, readOpenQuestions } from '../../lib/client/inbox/approvals-api.ts';
import type { FeedOutage } from '../../lib/client/inbox/feed/approval-feed-reader.ts';
import { readApprovalFeed } from '../../lib/client/inbox/feed/read-approval-feed.ts';
import { failureText } from '../../lib/plugins/tool-events/client/conversation/tool-events-api.ts';
import { questionOf } from '../support/card-fixture.ts';

/** As each engine words it. */
const mistakes = [
  new TypeError('Promise.withResolvers is not a function'),
  new TypeError(
    "AbortSignal.any is not a function. (In 'AbortSignal.any([t])', 'AbortSignal.any' is undefined)",
  ),
  new TypeError("Cannot read properties of undefined (reading 'fetch')"),
  new TypeError("undefined is not an object (evaluating 'socket.send')"),
  new TypeError('can\'t access property "send", socket is undefined'),
  new TypeError('messages is not iterable'),
  new TypeError("Failed to execute 'fetch' on 'Window': Invalid name"),
  new ReferenceError('Iterator is not defined'),
  new RangeError('Maximum call stack size exceeded'),
];

/** As each engine words it, and as our own timeout does. */
const lostConnections = [
  new TypeError('Failed to fetch'),
  new TypeError('network error'),
  new TypeError('NetworkError when attempting to fetch resource.'),
  new TypeError('Error in input stream'),
  new TypeError('Load failed'),
  new TypeError('The network connection was lost.'),
  new TypeError('A server with the specified hostname could not be found.'),
  new TypeError('Origin https://a.example is not allowed by Access-Control-Allow-Origin.'),
  new TypeError('Netzwerkverbindung unterbrochen'),
  new TypeError('terminated'),
  new TypeError('The network brought no reply within a minute.'),
];

const report = vi.fn();
beforeEach(() => void vi.stubGlobal('reportError', report.mockReset()));
afterEach(() => void vi.unstubAllGlobals());

const failing = (error: Error) => ({ api: '/api/approvals', fetch: () => Promise.reject(error) });

/** What the page learns about its connection when the feed cannot be read. */
async function outageAfter(error: Error): Promise<FeedOutage | undefined> {
  const { promise, resolve } = Promise.withResolvers<FeedOutage | undefined>();
  const leave = readApprovalFeed(failing(error), { onConnection: (_, outage) => resolve(outage) });
  return promise.finally(leave);
}

describe('a mistake in the program', () => {
  it.each(mistakes)('is reported, and is no lost connection: %s', async (error) => {
    expect(failureOf(error).kind).toBe('broken');
    expect(failureText(error)).toBe(String(error));
    expect(await outageAfter(error)).toMatchObject({ isReached: true });
    const result = await postAnswer(failing(error), questionOf(), { approved: true });
    expect(result).toEqual({ type: 'refused', code: 'internal', message: String(error) });
    expect(await readOpenQuestions(failing(error))).toBeUndefined();
    expect(report.mock.calls).toEqual(Array.from({ length: 4 }, () => [error]));
  });
});

describe('a lost connection', () => {
  it.each(lostConnections)('is none of a program: %s', async (error) => {
    expect(failureOf(error).kind).toBe('network');
    expect(failureText(error)).toContain('Connection lost.');
    expect(await outageAfter(error)).toMatchObject({ isReached: false });
    expect(await postAnswer(failing(error), questionOf(), { approved: true })).toEqual({
      type: 'unreachable',
    });
    expect(report).not.toHaveBeenCalled();
  });
});
