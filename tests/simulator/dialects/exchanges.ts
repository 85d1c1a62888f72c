import type { PersonName } from '../actors/people.ts';
import type { Exchange, History } from '../history.ts';
import type { Instance } from '../machine/instance.ts';
import type { World } from '../machine/world.ts';
import { openSocket, request } from './connections.ts';

/** What a person does through a dialect. */
export type DialectCommand = {
  readonly who: PersonName;
  readonly does: string;
  readonly instance: Instance;
  readonly chatId: string;
  /** As the history has it: the answers in it, if any, in the form of all other endpoints. */
  readonly recorded?: object;
};

/** How long a client waits for a frame about its command, in virtual milliseconds. */
const longestWaitMs = 1_500;

/** Makes the requests of people through dialects, and records them like those over other transports. */
export function createDialectExchanges(world: World, history: History) {
  function begin({ who, does, instance, chatId, recorded }: DialectCommand, path: string): Exchange {
    const place = { path, who, does, instance: instance.name, chatId, body: recorded };
    const exchange: Exchange = { ...place, moment: history.moment(), at: world.now() };
    history.exchanges.push(exchange);
    world.note(`${who} ${does} ${chatId} at ${instance.name} ${path.slice(0, 24)}`);
    return exchange;
  }

  function answered(exchange: Exchange, status: number, json?: unknown): void {
    Object.assign(exchange, { answeredAt: history.moment(), status, json });
    world.note(`${exchange.who} ${exchange.does} ${exchange.chatId} is answered ${status}`);
  }

  return {
    /** A request over HTTP. If the response is a stream, the sender soon disconnects from it. */
    async post(
      command: DialectCommand,
      path: string,
      body: object | undefined,
      statusOf: (status: number, json: unknown) => number = (status) => status,
    ): Promise<void> {
      const exchange = begin(command, path);
      const { instance, who } = command;
      const init = body ? { method: 'POST', body } : /cancel$/.test(path) ? { method: 'POST' } : {};
      const response = await request(instance, who, path, init);
      if (!response) return answered(exchange, 0);
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
        answered(exchange, response.status);
        await world.sleep(200);
        await instance.process.gate();
        await response.body?.cancel().catch(() => {});
        return;
      }
      const text = await Promise.race([response.text(), instance.process.died.then(() => '')]);
      const json: unknown = text === '' ? undefined : JSON.parse(text);
      answered(exchange, statusOf(response.status, json), json);
    },

    /** Frames over the chat socket. The status is 0 if no frame answers them. */
    async frame(command: DialectCommand, ...frames: readonly object[]): Promise<void> {
      const exchange = begin(command, '/api/dialects/chat-socket');
      const { promise, resolve } = Promise.withResolvers<readonly [number, unknown?]>();
      const socket = await openSocket(command.instance, command.who, (received) => {
        resolve(
          received.type === 'error' && !received.message_id
            ? [statusOf(received), received]
            : [200, received],
        );
      });
      if (!socket)
        return answered(
          exchange,
          history.signedOut.some(({ who, back }) => who === command.who && back === undefined) ? 401 : 0,
        );
      for (const frame of frames) socket.send(frame);
      void socket.closed.then((code) => resolve([code === 4401 ? 401 : 0]));
      world.after(longestWaitMs, () => resolve([0]));
      answered(exchange, ...(await promise));
      socket.close();
    },
  };
}

function statusOf({ code, message }: Readonly<Record<string, unknown>>): number {
  if (code === 'ALREADY_ANSWERED' || code === 'BUSY') return 409;
  if (code === 'ACCESS_DENIED') return /signed in/.test(String(message)) ? 401 : 404;
  return code === 'INTERNAL_ERROR' ? 500 : 400;
}
