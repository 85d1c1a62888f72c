import { type LookupAddress, lookup } from 'node:dns';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

const limitMs = 10_000;
/** A response has nothing that is needed. */
const mostBytesRead = 16_384;

/** How a request is sent. Tests replace the resolver and the limits. */
export type PostOptions = {
  readonly isAllowed?: (address: string) => boolean;
  readonly resolve?: (
    hostname: string,
    callback: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
  ) => void;
  readonly limitMs?: number;
};

/** The status of a response, and its headers. */
export type Posted = Pick<IncomingMessage, 'headers'> & { readonly status: number };

/** The endpoint has an address that requests must not reach. It does not name the address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/**
 * Sends a POST request. It follows no redirect, reads at most 16 KiB of the response, and takes at most 10 s.
 *
 * The address is checked where the connection looks it up, so the address that is checked is the one that is used: a resolver
 * that answers differently the next time is not asked a second time. If any address of the name is refused, so is the name.
 *
 * @throws AddressRefused; otherwise the error of the connection, or the reason of the signal
 */
export async function post(
  url: URL,
  { headers, body, signal }: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal },
  options: PostOptions = {},
): Promise<Posted> {
  const { isAllowed = isPublicAddress, resolve = resolveAll } = options;
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  // An address in the URL is not looked up.
  if (isIP(hostname) !== 0 && !isAllowed(hostname)) throw new AddressRefused();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(options.limitMs ?? limitMs)]);
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    // No shared agent: its connections were opened under other rules, and the environment may give it a proxy.
    agent: false,
    lookup: checkedLookup(resolve, isAllowed),
    signal: limit,
  });
  return respond(request, body, limit);
}

function respond(request: ClientRequest, body: string, limit: AbortSignal): Promise<Posted> {
  const { promise, resolve, reject } = Promise.withResolvers<Posted>();
  request.on('error', reject);
  request.on('response', (response) => {
    const { statusCode: status = 0, headers } = response;
    // The status decides, also if the rest does not arrive.
    const end = () => {
      resolve({ status, headers });
      request.destroy();
    };
    let read = 0;
    response.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > mostBytesRead) end();
    });
    response.on('end', end);
    response.on('error', end);
    limit.addEventListener('abort', end);
  });
  request.end(body);
  return promise;
}

/** A lookup that refuses a name if any of its addresses is refused. */
function checkedLookup(
  resolve: NonNullable<PostOptions['resolve']>,
  isAllowed: (address: string) => boolean,
): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error('No address.'), '');
      if (!addresses.every(({ address }) => isAllowed(address))) return callback(new AddressRefused(), '');
      if (all) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

const resolveAll: NonNullable<PostOptions['resolve']> = (hostname, callback) =>
  lookup(hostname, { all: true }, callback);
