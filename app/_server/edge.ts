import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Principal } from 'countersign';
import { closeCountersign, countersign } from './countersign.ts';

/**
 * Opens the app's instance at startup. This reports an invalid environment early, and resumes runs that a crash left.
 */
export async function open(): Promise<void> {
  await countersign();
}

/** Handles an upgrade if its path is one of the app's sockets. */
export async function handleUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<'taken' | 'unknown'> {
  const { sockets } = await countersign();
  return sockets.handleUpgrade(request, socket, head);
}

/** Marks whether a request comes from this machine, before other code reads it. */
export async function stampPeer(request: IncomingMessage): Promise<void> {
  const { identity } = await countersign();
  identity.stampPeer(request);
}

/** Who makes a request, once it has the mark. */
export async function authorize(request: Request): Promise<Principal | null> {
  const { authorize: identify } = await countersign();
  return identify(request);
}

/** Ends streams, hands over runs, and closes the store. */
export async function close(): Promise<void> {
  await closeCountersign();
}
