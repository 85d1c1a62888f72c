import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApprovalFlow } from '../flow/approval-flow.ts';
import { CountersignError } from '../protocol/index.ts';
import type { DialectSettings } from '../server/dialect.ts';
import { withConcurrencyLimit } from '../server/limits/concurrency-limit.ts';
import { checkServerSettings } from '../server/server-settings.ts';
import { type BidiSettings, createBidiServer } from './bidi-server.ts';
import { createSocketServer } from './server-sockets.ts';

/** Settings of `createUpgradeHandler`. */
export type UpgradeHandlerSettings = BidiSettings &
  DialectSettings & {
    /** The path that all sockets begin with. Default `/api`. */
    readonly basePath?: string;
  };

/** Accepts the sockets of one server. */
export type UpgradeHandler = {
  /**
   * Takes an upgrade, as `SocketServer.handleUpgrade` does, if there is a socket at its path. Never rejects.
   *
   * @returns `unknown` if there is none. The connection is then left to the caller
   */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<'taken' | 'unknown'>;
  /** Closes all sockets (1001) and accepts no more. Runs continue. */
  close(): Promise<void>;
};

/**
 * Every WebSocket of a server, by its path: that of `createBidiServer` at `/chat/socket`, and those of dialects.
 *
 * @throws CountersignError `invalid-settings` for settings that are misspelled or of the wrong type, without `authorize`, and if
 *   two dialects have the same socket; `internal` when the package `ws` is not installed
 * @source H3, ADR 0056
 */
export function createUpgradeHandler(flow: ApprovalFlow, given: UpgradeHandlerSettings): UpgradeHandler {
  checkServerSettings('createUpgradeHandler', given);
  const settings = withConcurrencyLimit(given);
  const { basePath = '/api', dialects = [] } = settings;
  const servers = new Map([[`${basePath}/chat/socket`, createBidiServer(flow, settings)]]);
  for (const { path, open } of dialects.flatMap(({ sockets }) => sockets?.(flow, settings) ?? [])) {
    if (servers.has(`${basePath}${path}`)) {
      throw new CountersignError('invalid-settings', `Two sockets have the path ${path}.`);
    }
    servers.set(`${basePath}${path}`, createSocketServer(settings, open));
  }
  return {
    async handleUpgrade(request, socket, head) {
      const server = servers.get(request.url?.split('?')[0] ?? '');
      await server?.handleUpgrade(request, socket, head);
      return server ? 'taken' : 'unknown';
    },
    close: async () => void (await Promise.all([...servers.values()].map((server) => server.close()))),
  };
}
