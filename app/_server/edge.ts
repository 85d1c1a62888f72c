import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeCountersign, countersign } from './countersign.ts';

/** Opens the app's instance: a wrong environment is told at start, and runs that a crash left are taken up. */
export async function open(): Promise<void> {
  await countersign();
}

/** Takes the upgrade of `/api/chat/socket`. */
export async function handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  const { bidi } = await countersign();
  await bidi.handleUpgrade(request, socket, head);
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
