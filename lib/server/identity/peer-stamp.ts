import type { IncomingHttpHeaders } from 'node:http';
import { hostNameOf, loopbackHosts } from '../guard.ts';
import { createSigner } from './derive-key.ts';
import { hasSignOfProxy } from './proxy-signs.ts';

/** The internal header. Its value is signed, so a client that sends it says nothing. */
export const peerHeader = 'x-countersign-peer';

/** What a stamp needs of a node request: its headers, which it changes, its HTTP version, and its socket's peer. */
export type StampableRequest = {
  readonly headers: IncomingHttpHeaders;
  /** As Node has it: `1.1`. */
  readonly httpVersion: string;
  readonly socket: { readonly remoteAddress?: string };
};

/** @see createPeerStamp */
export type PeerStamp = {
  /** Call for each request and each upgrade, before anything else sees it. Overwrites what the client sent. */
  stamp(request: StampableRequest): void;
  /** Whether the request came straight from this machine, by the server's own word. */
  isLocal(request: Request): boolean;
};

/**
 * Carries the one fact that a Web `Request` lacks from the node server to the handlers: did this request come from
 * this machine, by a loopback name, without a sign of a proxy between? It travels in an internal header.
 *
 * Forging it takes the secret. A server that forgets to stamp, or has no stamp at all, makes every request look
 * remote: the mistake closes the door instead of opening it. Proxy headers are judged here, at the socket, because
 * frameworks behind add `x-forwarded-*` of their own to every request (Next does).
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

/** Browsers and programs speak HTTP/1.1 or newer; a proxy may speak 1.0 and add nothing else. */
function isDirect({ headers, httpVersion, socket }: StampableRequest): boolean {
  const isCurrent = httpVersion === '1.1' || /^[2-9]/.test(httpVersion);
  const isLoopbackHost = loopbackHosts.includes(hostNameOf((headers.host ?? '').toLowerCase()));
  return isCurrent && isLoopbackHost && isLoopbackAddress(socket.remoteAddress) && !hasSignOfProxy(headers);
}

/** The whole of 127.0.0.0/8, also as IPv6 writes it, and ::1. */
function isLoopbackAddress(address = ''): boolean {
  return address === '::1' || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/i.test(address);
}
