import type { UIMessageChunk } from 'ai';
import type { Exchange, Feed, History, Reading } from '../history.ts';
import type { Instance } from '../machine/instance.ts';
import type { SimProcess } from '../machine/process.ts';
import type { ClientSocket } from '../machine/socket-pair.ts';
import type { World } from '../machine/world.ts';
import { errorOf, readFrames, statusOf } from './frames.ts';
import type { PersonName } from './people.ts';

const origin = 'http://localhost';

/** An instance as its clients reach it. */
export type Reached = Pick<Instance, 'name' | 'fetch' | 'connect'> & {
  readonly process: Pick<SimProcess, 'died' | 'gate'>;
};

/** The properties of one request. */
export type Call = {
  readonly who: PersonName;
  readonly does: string;
  readonly instance: Reached;
  readonly chatId?: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A response that is being read; `leave` disconnects in the middle. */
export type OpenReading = {
  readonly reading: Reading;
  readonly leave: () => void;
  readonly ended: Promise<void>;
};

/** The clients of the simulated instances. They use only what a browser has: what they sent and what they received. */
export function createClients(world: World, history: History) {
  const open = new Set<OpenReading>();
  const sockets = new Map<string, Promise<ClientSocket>>();
  let requests = 0;

  function begin({ who, does, instance, chatId, path, body }: Call): Exchange {
    const exchange: Exchange = {
      path,
      moment: history.moment(),
      at: world.now(),
      who,
      does,
      instance: instance.name,
      chatId,
      body,
    };
    history.exchanges.push(exchange);
    world.note(`${who} ${does} ${chatId ?? ''} at ${instance.name}`);
    return exchange;
  }

  function answered(exchange: Exchange, status: number, json?: unknown): void {
    exchange.answeredAt = history.moment();
    exchange.status = status;
    exchange.json = json;
    world.note(`${exchange.who} ${exchange.does} ${exchange.chatId ?? ''} is answered ${status}`);
  }

  function requestOf({ who, method = 'GET', path, body, headers }: Call): Request {
    return new Request(`${origin}${path}`, {
      method,
      headers: { 'x-person': who, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Makes a request for JSON or nothing. Returns the status, or 0 if the connection broke. */
  async function ask(call: Call): Promise<{ status: number; json?: unknown }> {
    const exchange = begin(call);
    try {
      const response = await call.instance.fetch(requestOf(call));
      const text = await Promise.race([response.text(), call.instance.process.died.then(() => '')]);
      const json: unknown = text === '' ? undefined : JSON.parse(text);
      answered(exchange, response.status, json);
      return { status: response.status, json };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      answered(exchange, 0);
      return { status: 0 };
    }
  }

  function track(call: Call, via: Reading['via'], asks: Reading['asks'], leave: () => void) {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const reading: Reading = {
      moment: history.moment(),
      who: call.who,
      via,
      asks,
      does: call.does,
      instance: call.instance.name,
      chatId: call.chatId ?? '',
      chunks: [],
    };
    history.readings.push(reading);
    const each: OpenReading = {
      reading,
      ended,
      leave() {
        finish('left');
        leave();
      },
    };
    open.add(each);
    function finish(end: NonNullable<Reading['end']>): void {
      if (reading.end) return;
      reading.end = end;
      reading.endedAt = history.moment();
      open.delete(each);
      world.note(
        `${call.who} read ${call.chatId} to ${end}: ${reading.chunks.map(({ type }) => type).join(' ')}`,
      );
      resolve();
    }
    return { each, reading, finish };
  }

  /** Makes a request for server-sent events, and reads them in the background. */
  async function openEvents(
    call: Call,
    onOpen: () => { onFrame: (frame: string) => void; onEnd: () => void },
  ): Promise<{ leave: () => void } | undefined> {
    const exchange = begin(call);
    const { process } = call.instance;
    try {
      const response = await call.instance.fetch(requestOf(call));
      if (response.status !== 200 || !response.body) {
        const text = await response.text();
        answered(exchange, response.status, text === '' ? undefined : JSON.parse(text));
        return undefined;
      }
      answered(exchange, response.status);
      const reader = response.body.getReader();
      const gone = process.died.then(() => undefined);
      const { onFrame, onEnd } = onOpen();
      async function next() {
        await Promise.race([process.gate(), gone]);
        return Promise.race([reader.read(), gone]);
      }
      void readFrames(next, onFrame).then(onEnd);
      return { leave: () => void process.gate().then(() => reader.cancel()) };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      answered(exchange, 0);
      return undefined;
    }
  }

  /** Makes a request for a response, or for the replay of one. */
  async function stream(call: Call, asks: Reading['asks']): Promise<OpenReading | undefined> {
    let tracked: OpenReading | undefined;
    let left = () => {};
    const opened = await openEvents(call, () => {
      const { each, reading, finish } = track(call, 'sse', asks, () => left());
      tracked = each;
      return {
        onFrame(frame) {
          if (reading.end) return;
          if (frame === '[DONE]') finish('done');
          else reading.chunks.push(JSON.parse(frame) as UIMessageChunk);
        },
        onEnd: () => finish('broken'),
      };
    });
    left = () => opened?.leave();
    return opened && tracked;
  }

  /** Listens for questions as they are asked and settled. */
  async function listen(call: Call): Promise<void> {
    const feed: Feed = {
      moment: 0,
      who: call.who,
      instance: call.instance.name,
      states: new Map(),
      isOpen: true,
    };
    await openEvents(call, () => {
      feed.moment = history.moment();
      history.feeds.push(feed);
      return {
        onFrame(frame) {
          const question = JSON.parse(frame) as Readonly<Record<string, unknown>>;
          feed.states.set(String(question.id), String(question.state));
          history.questions.push({ moment: history.moment(), who: call.who, question });
          world.note(`${call.who} receives ${question.id}: ${question.state}`);
        },
        onEnd() {
          feed.isOpen = false;
        },
      };
    });
  }

  /** One socket for each person at each instance. */
  function socketOf({ who, instance }: Call): Promise<ClientSocket> {
    const key = `${who} ${instance.name}`;
    const known = sockets.get(key);
    if (known) return known;
    const handshake = new Request(`${origin}/api/chat/socket`, { headers: { 'x-person': who } });
    const connecting = instance.connect(handshake).then((socket) => {
      socket.onClose = (code) => {
        sockets.delete(key);
        world.note(`${who} socket at ${instance.name} closed ${code}`);
        for (const [id, listener] of [...listeners])
          if (id.startsWith(`${key} `)) listener({ type: 'closed', code });
      };
      socket.onMessage = (text) => {
        const frame = JSON.parse(text) as Frame;
        listeners.get(`${key} ${frame.requestId}`)?.(frame);
      };
      return socket;
    });
    sockets.set(key, connecting);
    connecting.catch(() => sockets.delete(key));
    return connecting;
  }

  type Frame = {
    readonly type: string;
    readonly requestId?: string;
    readonly chunk?: UIMessageChunk;
    readonly errorText?: string;
    readonly code?: number;
  };
  const listeners = new Map<string, (frame: Frame) => void>();

  /** The same request over a socket. `fields` are those of the frame. */
  async function frame(call: Call, asks: Reading['asks'], fields: object): Promise<OpenReading | undefined> {
    const exchange = begin(call);
    const requestId = `r${++requests}`;
    const key = `${call.who} ${call.instance.name} ${requestId}`;
    try {
      const socket = await socketOf(call);
      const { promise, resolve } = Promise.withResolvers<OpenReading | undefined>();
      let tracked: ReturnType<typeof track> | undefined;
      listeners.set(key, (received) => {
        if (received.type === 'chunk' && received.chunk) {
          if (!tracked?.reading.end) tracked?.reading.chunks.push(received.chunk);
          return;
        }
        if (received.type === 'start') {
          answered(exchange, 200);
          tracked = track(call, 'bidi', asks, () => {
            listeners.delete(key);
            socket.send(JSON.stringify({ type: 'abort', requestId }));
          });
          resolve(tracked.each);
          return;
        }
        listeners.delete(key);
        if (received.type === 'end') tracked?.finish('done');
        else if (tracked) tracked.finish('broken');
        else if (received.type === 'no-active') answered(exchange, 204);
        else if (received.type === 'closed') answered(exchange, received.code === 4401 ? 401 : 0);
        else answered(exchange, statusOf(received.errorText), errorOf(received.errorText));
        resolve(tracked?.each);
      });
      socket.send(JSON.stringify({ ...fields, requestId }));
      return await promise;
    } catch (error) {
      answered(exchange, error instanceof TypeError ? 0 : 401);
      return undefined;
    }
  }

  return { ask, stream, listen, frame, open };
}
