import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeCountersign, countersign } from './countersign.ts';

/** Opens the app's instance: a wrong environment is told at start, and runs that a crash left are taken up. */
export async function open(): Promise<void> {
  await countersign();
}

/** Takes an upgrade, if its path is one of our sockets. */
export async function handleUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<'taken' | 'unknown'> {
  const { sockets } = await countersign();
  const path = request.url?.split('?')[0] ?? '';
  const server = Object.entries(sockets).find(([known]) => known === path)?.[1];
  await server?.handleUpgrade(request, socket, head);
  return server ? 'taken' : 'unknown';
}

/** Marks a request as coming from this machine, or not, before anything else sees it. */
export async function stampPeer(request: IncomingMessage): Promise<void> {
  const { identity } = await countersign();
  identity.stampPeer(request);
}

/** Ends streams, hands runs back, closes the store. */
export async function close(): Promise<void> {
  await closeCountersign();
}
