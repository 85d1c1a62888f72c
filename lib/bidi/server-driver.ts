import { createRequire } from 'node:module';
import { CountersignError } from '../protocol/index.ts';

/** What the server half of BIDI uses of the package `ws`. */
export type SocketDriver = Pick<typeof import('ws'), 'WebSocketServer'>;

/**
 * Loads `ws`, an optional peer dependency: apps that only use server-sent events do not install it. The load is
 * synchronous, so that a server that cannot work fails when it is created and not at its first socket.
 *
 * @param load resolves a package by its name. Default: Node's own, from this file
 * @throws CountersignError `internal` when it is not installed
 */
export function loadSocketDriver(
  load: (name: string) => unknown = createRequire(import.meta.url),
): SocketDriver {
  try {
    return load('ws') as SocketDriver;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'MODULE_NOT_FOUND')) throw cause;
    throw new CountersignError(
      'internal',
      'WebSocket servers need the package ws, which is not installed. Run: npm install ws@8',
      {},
      { cause },
    );
  }
}
