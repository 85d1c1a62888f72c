import type { DialectClient } from '../client.ts';
import type { DialectName } from '../profile.ts';
import { chatSocket } from './chat-socket.ts';
import { responses } from './responses.ts';
import { toolEvents } from './tool-events.ts';
import { twoStepStream } from './two-step-stream.ts';

const clients: Readonly<Record<string, DialectClient>> = {
  'tool-events': toolEvents,
  'two-step-stream': twoStepStream,
  'chat-socket': chatSocket,
  responses,
} satisfies Record<DialectName, DialectClient>;

/** What the clients of a dialect do. */
export function clientOf(dialect: DialectName): DialectClient {
  const client = clients[dialect];
  if (!client) throw new Error(`The simulator has no client of ${dialect}.`);
  return client;
}
