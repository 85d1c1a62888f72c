import { checkSettings, func, wholeNumber } from '../../protocol/settings.ts';
import type { Authorize } from '../identity/authorize.ts';
import { hasSignOfProxy } from '../identity/proxy-signs.ts';
import { type Incoming, requestOf } from '../incoming-request.ts';

/** What is needed of a socket of Node. */
type Connection = {
  readonly remoteAddress?: string | undefined;
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
};

/** @see createConnectionLimit */
export type ConnectionLimit = {
  /** Counts a new connection: `server.on('connection', limit.opened)`. */
  readonly opened: (connection: Connection) => void;
  /**
   * Call it for each request, and for each upgrade, which has no response. Does not wait for `authorize`, and never throws.
   *
   * @param response while it is open, its connection is not idle
   */
  readonly requested: (
    request: Incoming & { readonly socket: Connection },
    response?: { once(event: 'close', listener: () => void): unknown },
  ) => void;
};

/** The requests of a connection that are in progress, and its client's address if that is known. */
type Anonymous = { busy: number; client?: string };

/** Of the descriptors of the process: the rest is for people who are signed in, for files, and for the database. */
const share = 1 / 4;
/** Of those, for one client. */
const shareOfClient = 1 / 4;
/** If the system sets no limit. */
const usualDescriptors = 65_536;

/**
 * Limits the connections without a sign-in: those without a request, and those whose requests `authorize` did not accept. Beyond
 * the limit, the one that has been idle longest is closed. Connections with one accepted request stay as long as the server keeps them.
 *
 * One client can have a quarter of them. Its address is known if its requests have no sign of a proxy; otherwise many people may share it.
 *
 * @param settings.authorize called for the requests of a connection until it accepts one
 * @param settings.most default: a quarter of the file descriptors that the process may open
 * @throws CountersignError `invalid-settings`
 * @source ADR 0006.8
 */
export function createConnectionLimit(settings: { authorize: Authorize; most?: number }): ConnectionLimit {
  checkSettings('createConnectionLimit', settings, { authorize: func, most: wholeNumber(1) }, ['authorize']);
  const { authorize, most = Math.max(1, Math.floor(descriptors() * share)) } = settings;
  /** The one that has been idle longest is first. */
  const anonymous = new Map<Connection, Anonymous>();

  function touch(connection: Connection, change: (state: Anonymous) => void): void {
    const state = anonymous.get(connection);
    if (!state) return;
    change(state);
    anonymous.delete(connection);
    anonymous.set(connection, state);
  }

  /** Closes connections until at most this many of a kind are left: idle ones first. */
  function closeAbove(limit: number, isOfKind: (state: Anonymous) => boolean): void {
    const own = [...anonymous].filter(([, state]) => isOfKind(state));
    const idle = own.filter(([, { busy }]) => busy === 0);
    const busy = own.filter(([, state]) => state.busy > 0);
    for (const [connection] of [...idle, ...busy].slice(0, Math.max(0, own.length - limit))) {
      anonymous.delete(connection);
      connection.destroy();
    }
  }

  async function identify(connection: Connection, request: Incoming): Promise<void> {
    try {
      if (await authorize(requestOf(request))) anonymous.delete(connection);
    } catch {
      // The handler of the request answers it, and logs this.
    }
  }

  return {
    opened(connection) {
      anonymous.set(connection, { busy: 0 });
      connection.once('close', () => anonymous.delete(connection));
      if (anonymous.size > most) closeAbove(most, () => true);
    },

    requested(request, response) {
      const { socket } = request;
      if (!anonymous.has(socket)) return;
      const { remoteAddress: client } = socket;
      const isClient = client !== undefined && !hasSignOfProxy(request.headers);
      touch(socket, (state) => {
        state.busy += 1;
        if (isClient) state.client = client;
        else delete state.client;
      });
      response?.once('close', () =>
        touch(socket, (state) => {
          state.busy -= 1;
        }),
      );
      void identify(socket, request).then(() => {
        if (isClient && anonymous.has(socket))
          closeAbove(Math.max(1, Math.floor(most * shareOfClient)), (state) => state.client === client);
      });
    },
  };
}

/** How many files and connections this process may have open. Node raises the limit to the highest that the system allows. */
function descriptors(): number {
  const { userLimits } = (globalThis.process?.report?.getReport() ?? {}) as {
    userLimits?: { open_files?: { soft?: number | string } };
  };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) ? soft : usualDescriptors;
}
