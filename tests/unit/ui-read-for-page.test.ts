import { afterEach, describe, expect, it, vi } from 'vitest';
import { readForPage, readUserForPage } from '../../app/_server/read-for-page.ts';

const given = new Headers();
const api = vi.fn<(request: Request) => Promise<Response>>();
const authorize = vi.fn<(request: Request) => Promise<unknown>>();

vi.mock('next/headers', () => ({ headers: async () => given }));
vi.mock('../../app/_server/countersign.ts', () => ({ countersign: async () => ({ api, authorize }) }));

afterEach(() => {
  given.delete('sec-fetch-dest');
  api.mockReset();
  authorize.mockReset();
  vi.useRealTimers();
});

const never = () => new Promise<never>(() => {});

describe('what the HTML of a page starts from', () => {
  it('is the response of the API to the browser that opens the page', async () => {
    given.set('sec-fetch-dest', 'document');
    api.mockImplementation(async ({ url, headers }) => Response.json([url, headers.get('sec-fetch-dest')]));
    expect(await readForPage('/api/chat')).toEqual(['http://localhost/api/chat', 'document']);
  });

  it('is not read for a script, which goes to the page without HTML', async () => {
    given.set('sec-fetch-dest', 'empty');
    api.mockImplementation(async () => Response.json({}));
    expect(await readForPage('/api/chat')).toBeUndefined();
    expect(api).not.toHaveBeenCalled();
  });

  it.each([
    ['that fails', async () => Promise.reject(new Error('connect ECONNREFUSED'))],
    ['that does not answer', never],
    [
      'that fails too late',
      () => new Promise<never>((_, reject) => setTimeout(reject, 2_000, new Error('late'))),
    ],
  ])('is missing with a store %s', async (_, read) => {
    vi.useFakeTimers();
    api.mockImplementation(read);
    authorize.mockImplementation(read);
    const reads = Promise.all([readForPage('/api/chat'), readUserForPage()]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await reads).toEqual([undefined, undefined]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
