import { flushCompileCache } from 'node:module';
import { createApprovalFlow } from 'countersign';
import { createUpgradeHandler } from 'countersign/bidi/server';
import type { Dialect } from 'countersign/http/server';
import { chatSocket } from 'countersign/plugins/chat-socket';
import { responses } from 'countersign/plugins/responses';
import { toolEvents } from 'countersign/plugins/tool-events';
import { twoStepStream } from 'countersign/plugins/two-step-stream';
import { createFetchHandler } from 'countersign/sse/server';
import type { StoreClock } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { serve } from '../../../../lib/testing/server/serve.ts';
import { openStore } from '../open-store.ts';
import { playTurn, toolsOfTurn } from './places.ts';

// A server of all dialects in its own process, which stops at a place of its turns. Settings are environment variables: the
// store's, FAULTS_CLOCK_AHEAD (milliseconds), FAULTS_PLACE.
const { FAULTS_CLOCK_AHEAD: ahead = '0', FAULTS_PLACE: place = '' } = process.env;
const aheadMs = Number(ahead);
const stop = () => {
  process.send?.({ stopped: place });
  return new Promise<never>(() => {});
};

const opened = openStore(process.env);
const store = opened.clock === undefined ? opened : { ...opened, clock: aheadOf(opened.clock) };
const flow = createApprovalFlow({
  store,
  model: scriptedModel((options) => playTurn(options, place, stop)),
  tools: toolsOfTurn(place, stop),
  toolDetails: { look: { idempotent: true }, pay: { idempotent: true } },
  stopGraceMs: 20,
  // A reader resumes a finished turn whenever it gets to it. On a busy machine that may be after the default minute.
  replayMs: Number.MAX_SAFE_INTEGER,
  logger: { warn: () => {}, error: () => {} },
  clock: {
    now: () => Date.now() + aheadMs,
    after(ms, callback) {
      const timer = setTimeout(callback, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
  },
});
await flow.recover();

const dialects: readonly Dialect[] = [chatSocket(), responses(), toolEvents(), twoStepStream()];
const server = { authorize: () => ({ id: 'ada', name: 'Ada' }), dialects };
const sockets = createUpgradeHandler(flow, server);
const served = await serve({ upgrade: sockets.handleUpgrade, fetch: createFetchHandler(flow, server) });

process.on('SIGTERM', async () => {
  await Promise.all([sockets.close(), flow.close()]);
  await served.close();
  process.exit();
});
process.on('disconnect', () => process.exit());
process.send?.({ url: served.url });
// By default it is only written on a regular exit, which these processes rarely have.
flushCompileCache();

function aheadOf(clock: StoreClock): StoreClock {
  const now = () => {
    const time = clock.now();
    return time === undefined ? undefined : time + aheadMs;
  };
  return { ...clock, now };
}
