import type { Reached } from '../actors/client.ts';
import { readFrames } from '../actors/frames.ts';
import type { PersonName } from '../actors/people.ts';
import type { World } from '../machine/world.ts';

/** How a connection ended: the stream is complete, the client can resume it, or it does not exist. */
export type Outcome = 'over' | 'again' | 'gone';

/** How a client reads. */
export type Manners = {
  /** Disconnects after this many frames. */
  readonly leaveAfter: number;
  /** The pause before each read, in virtual milliseconds. */
  readonly pauseMs: number;
  /** Resolves when the client must stop reading. */
  readonly stopped: Promise<void>;
};

/** A request, and what to do with each frame of its response. */
export type EventReading = {
  readonly who: PersonName;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly take: (data: string, fields: { id?: string; event?: string }) => Outcome | undefined;
};

/** The instance that serves the dialects. */
const origin = 'http://localhost';

/** Reads one response of server-sent events to its end, or until the client leaves. */
export async function readEvents(
  world: World,
  instance: Reached,
  { who, path, headers, take }: EventReading,
  { leaveAfter, pauseMs, stopped }: Manners,
): Promise<Outcome> {
  const { process } = instance;
  const response = await request(instance, who, path, { headers });
  if (response?.status === 204) return 'over';
  if (response?.status === 404) return 'gone';
  if (response?.status !== 200 || !response.body) return 'again';
  const reader = response.body.getReader();
  const leaves = Promise.race([process.died, stopped]).then(() => undefined);
  let outcome: Outcome | undefined;
  let frames = 0;
  await readFrames(
    async () => {
      if (outcome === 'again' || frames >= leaveAfter) return undefined;
      await Promise.race([process.gate(), leaves]);
      if (pauseMs > 0) await world.sleep(pauseMs);
      return Promise.race([reader.read(), leaves]);
    },
    (data, fields) => {
      frames += 1;
      // After the end nothing may follow, so what follows is read as well.
      const next = take(data, fields);
      outcome ??= next;
    },
  );
  void process.gate().then(() => reader.cancel().catch(() => {}));
  return outcome ?? 'again';
}

/** Makes one request. @returns `undefined` if the connection broke */
export async function request(
  instance: Reached,
  who: PersonName,
  path: string,
  { body, ...init }: { method?: string; headers?: Readonly<Record<string, string>>; body?: object } = {},
): Promise<Response | undefined> {
  const headers = { 'x-person': who, 'content-type': 'application/json', ...init.headers };
  try {
    return await instance.fetch(
      new Request(`${origin}${path}`, { ...init, headers, ...(body && { body: JSON.stringify(body) }) }),
    );
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** A connection to the chat socket, which delivers one frame after another. */
export type FrameSocket = { send(frame: object): void; close(): void; readonly closed: Promise<number> };

/** Opens one. @returns `undefined` if the connection broke or nobody is signed in */
export async function openSocket(
  instance: Reached,
  who: PersonName,
  onFrame: (frame: Readonly<Record<string, unknown>>) => void,
): Promise<FrameSocket | undefined> {
  const handshake = new Request(`${origin}/api/dialects/chat-socket`, { headers: { 'x-person': who } });
  const socket = await instance.connect(handshake, 'chat-socket').catch(() => undefined);
  if (!socket) return undefined;
  const { promise: closed, resolve } = Promise.withResolvers<number>();
  socket.onMessage = (text) => onFrame(JSON.parse(text));
  socket.onClose = resolve;
  return { closed, close: () => socket.close(), send: (frame) => socket.send(JSON.stringify(frame)) };
}
