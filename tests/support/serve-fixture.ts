import type { IncomingMessage } from 'node:http';
import type { FlowSettings } from 'countersign';
import type { FlowPlugin } from 'countersign/plugin';
import { type Script, startFlowServer } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import type { Principal } from '../../lib/protocol/index.ts';
import { ada, flowFixture } from './flow-fixture.ts';

/** The header in which a test names the user of a request. Without it, the user is Ada. */
export const userHeader = 'x-test-user';

/** What clients sent, in bytes, counted by the server. */
export type Uploads = {
  /** The body of each HTTP request that had one, in order of arrival. */
  readonly bodies: readonly { readonly method: string; readonly path: string; readonly bytes: number }[];
  /** All bytes received over WebSockets since the start, including frame headers. */
  readonly socketBytes: number;
};

/**
 * A flow behind a real HTTP and WebSocket server on a loopback port, until the end of the test. Ids are counters, so
 * that the same actions give the same ids in every chat of every test.
 */
export async function serveFixture<const Plugins extends readonly FlowPlugin[] = []>(
  script: Script,
  settings: Partial<FlowSettings> & { readonly plugins?: Plugins } = {},
) {
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

/** The faults here are intended, and the tests check their effect on clients. */
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
