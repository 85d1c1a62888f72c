import type { IncomingMessage } from 'node:http';
import type { FlowSettings } from 'countersign';
import { type Script, startFlowServer } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import type { Principal } from '../../lib/protocol/index.ts';
import { ada, flowFixture } from './flow-fixture.ts';

/** The header by which a test says who makes a request. Without it, requests are Ada's. */
export const userHeader = 'x-test-user';

/** What clients sent, counted in bytes where the server receives them. */
export type Uploads = {
  /** The body of each HTTP request that had one, in the order in which they began. */
  readonly bodies: readonly { readonly method: string; readonly path: string; readonly bytes: number }[];
  /** All bytes that came in over WebSockets since the start, frame headers included. */
  readonly socketBytes: number;
};

/**
 * A flow behind real HTTP and a real WebSocket on a loopback port, until the test has finished. Ids are counted up,
 * so that the same deeds give the same ids in every chat of every test.
 */
export async function serveFixture(script: Script, settings: Partial<FlowSettings> = {}) {
  const fixture = flowFixture(script, { random: countedIds(), logger: silent, ...settings });
  const { uploads, count } = countUploads();
  const { flow } = fixture;
  const { close, url, api } = await startFlowServer({
    flow,
    authorize: userOf,
    stampPeer: count,
    logger: silent,
  });
  onTestFinished(async () => {
    await close();
    await flow.close();
    await fixture.store.close();
  });
  return { ...fixture, url, api, uploads };
}

function userOf(request: Request): Principal {
  const id = request.headers.get(userHeader);
  return id === null ? ada : { id, name: id };
}

/** Faults are planted on purpose here; what they do to the client is what tests look at. */
const silent = { warn: () => {}, error: () => {} };

function countedIds(): () => string {
  let count = 0;
  return () => String(++count).padStart(22, '0');
}

function countUploads(): { uploads: Uploads; count: (request: IncomingMessage) => void } {
  const bodies: { method: string; path: string; bytes: number }[] = [];
  let socketBytes = 0;
  return {
    uploads: {
      bodies,
      get socketBytes() {
        return socketBytes;
      },
    },
    count(request) {
      if (request.headers.upgrade !== undefined) {
        request.socket.on('data', (data: Buffer) => {
          socketBytes += data.length;
        });
      } else if (request.method !== 'GET') {
        const body = { method: request.method ?? '', path: request.url ?? '', bytes: 0 };
        bodies.push(body);
        request.on('data', (data: Buffer) => {
          body.bytes += data.length;
        });
      }
    },
  };
}
