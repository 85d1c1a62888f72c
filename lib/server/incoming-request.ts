import type { IncomingHttpHeaders } from 'node:http';

/** A request as Node's server receives it. */
export type Incoming = { readonly headers: IncomingHttpHeaders; readonly url?: string | undefined };

export function requestOf({ headers: given, url = '/' }: Incoming): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const item of [value].flat()) if (item !== undefined) headers.append(name, item);
  }
  // Only path and query are read from the URL. The host is in the Host header.
  return new Request(new URL(url, 'http://localhost'), { headers });
}
