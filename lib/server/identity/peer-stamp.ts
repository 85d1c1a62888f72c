import type { IncomingHttpHeaders } from 'node:http';
import { hostNameOf, loopbackHosts } from '../guard.ts';
import { createSigner } from './derive-key.ts';
import { hasSignOfProxy } from './proxy-signs.ts';

/** The internal header. Its value is signed, so clients cannot set it. */
export const peerHeader = 'x-countersign-peer';

/** The parts of a node request that a stamp needs: headers (which it changes), HTTP version, and socket peer. */
export type StampableRequest = {
  readonly headers: IncomingHttpHeaders;
  /** As Node reports it: `1.1`. */
  readonly httpVersion: string;
  readonly socket: { readonly remoteAddress?: string };
};

export type PeerStamp = {
  /** Call it first for each request and each upgrade. It overwrites a header sent by the client. */
  stamp(request: StampableRequest): void;
  /** Whether the server stamped the request as coming directly from this machine. */
  isLocal(request: Request): boolean;
};

/**
 * Passes a fact that a Web `Request` lacks from the node server to the handlers: whether the request comes from
 * this machine, addressed to a loopback name, without a sign of a proxy. The fact travels in an internal
 * header.
 *
 * The header cannot be forged without the secret. If the server does not stamp, every request counts as remote.
 * Proxy headers are checked here, at the socket, because frameworks such as Next add their own `x-forwarded-*`
 * headers to every request.
 *
 * @source H-Identity
 */
export function createPeerStamp(secret: string): PeerStamp {
  const signer = createSigner(secret, 'peer-stamp');
  return {
    stamp(request) {
      request.headers[peerHeader] = signer.sign(isDirect(request) ? 'local' : 'remote');
    },
    isLocal: (request) => signer.open(request.headers.get(peerHeader) ?? '') === 'local',
  };
}

/** Browsers and programs use HTTP/1.1 or newer. A proxy may use 1.0 and add no header. */
function isDirect({ headers, httpVersion, socket }: StampableRequest): boolean {
  const isCurrent = httpVersion === '1.1' || /^[2-9]/.test(httpVersion);
  const isLoopbackHost = loopbackHosts.includes(hostNameOf((headers.host ?? '').toLowerCase()));
  return isCurrent && isLoopbackHost && isLoopbackAddress(socket.remoteAddress) && !hasSignOfProxy(headers);
}

/** All of 127.0.0.0/8, also in its IPv6 form, and ::1. */
function isLoopbackAddress(address = ''): boolean {
  return address === '::1' || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/i.test(address);
}
