import { cutStream } from './cut-stream.ts';
import { faultyLine, type LineFaults } from './line-fault.ts';

/** The properties by which faults select requests. */
export type FetchedRequest = { readonly method: string; readonly url: string };

/**
 * A `fetch` over a faulty connection. Faults apply only to requests that change something; `GET` and `HEAD` pass and
 * are not counted.
 *
 *     createSseTransport({ fetch: faultyFetch({ 0: { type: 'duplicate' } }) })
 *
 * @param faults by the number of the request (from 0), or a function of its method and URL
 * @param fetch makes the requests; default: the global `fetch`
 */
export function faultyFetch(
  faults: LineFaults<FetchedRequest>,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): typeof globalThis.fetch {
  const through = faultyLine(faults);
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, url } = request;
    if (method === 'GET' || method === 'HEAD') return fetch(request);
    return through(
      { method, url },
      {
        send: () => fetch(request.clone()),
        cut: (response, after, error) =>
          new Response(response.body && cutStream(response.body, after, error), response),
        drain: async (response) => void (await response.arrayBuffer()),
      },
    );
  };
}
