import { startWorker, type WorkerProcess } from '../support/worker-process.ts';
import { type Wire, wires } from './wires.ts';

/** A wire with a server of its own. */
export type OpenWire<Round> = Wire & {
  readonly server: WorkerProcess;
  readonly url: string;
  /** What was measured, the first one to warm up. */
  readonly rounds: Round[];
};

/** Starts a server for each wire, so that none runs on code that was compiled for another one. */
export function openWires<Round>(): Promise<OpenWire<Round>[]> {
  return Promise.all(
    wires.map(async (wire) => {
      const server = startWorker('workers/wire-server.ts', { exposeGc: true });
      return { ...wire, server, url: await server.ask<string>('open'), rounds: [] };
    }),
  );
}

/** Ends the servers. */
export async function closeWires(open: readonly Pick<OpenWire<never>, 'server'>[]): Promise<void> {
  await Promise.all(open.map(({ server }) => server.stop()));
}
