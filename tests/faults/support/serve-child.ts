import { flushCompileCache } from 'node:module';
import { createApprovalFlow } from 'countersign';
import type { StoreClock } from 'countersign/store';
import { killingStore, parseKillPoint, scriptedModel } from 'countersign/testing';
import { serveFlow } from '../../../lib/testing/server/serve-flow.ts';
import { lingeringStep, lingeringTools } from './lingering.ts';
import { openStore } from './open-store.ts';
import { playScriptedTurn, scriptedTools } from './scripted-turns.ts';
import { votingRules } from './voting-rules.ts';

// A complete server in its own process, for tests that kill it. Settings are environment variables: the store's,
// FAULTS_EFFECTS (a file), FAULTS_KILL (a kill point), FAULTS_CLOCK_AHEAD (milliseconds), FAULTS_LINGERS, FAULTS_VOTES.
const { FAULTS_EFFECTS: effects = '', FAULTS_KILL: kill, FAULTS_CLOCK_AHEAD: ahead = '0' } = process.env;
const lingers = process.env.FAULTS_LINGERS !== undefined;

const opened = openStore(process.env);
const aheadMs = Number(ahead);
/** All clocks are ahead, including that of a database. */
const store = opened.clock === undefined ? opened : { ...opened, clock: aheadOf(opened.clock, aheadMs) };
const flow = createApprovalFlow({
  store: kill === undefined ? store : killingStore(store, parseKillPoint(kill)),
  model: scriptedModel((options) => lingeringStep(options, lingers) ?? playScriptedTurn(options)),
  tools: { ...scriptedTools(effects), ...lingeringTools(effects, lingers) },
  ...(process.env.FAULTS_VOTES !== undefined && votingRules),
  // A test resumes a finished turn whenever it gets to it. On a busy machine that was after the default minute.
  replayMs: Number.MAX_SAFE_INTEGER,
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
const served = await serveFlow(flow, {
  logger: console,
  authorize: (request) => {
    const id = request.headers.get('x-test-user') ?? 'ada';
    return { id, name: id };
  },
});

process.on('message', (message) => {
  if (message !== 'memory') return;
  // Collects garbage first, to measure only memory in use.
  globalThis.gc?.();
  process.send?.({ rss: process.memoryUsage().rss });
});
process.on('SIGTERM', async () => {
  await flow.close();
  await served.close();
  process.exit();
});
process.on('disconnect', () => process.exit());
process.send?.({ url: served.url });
// By default it is only written on a regular exit, which these processes rarely have.
flushCompileCache();

function aheadOf(clock: StoreClock, ms: number): StoreClock {
  const now = () => {
    const time = clock.now();
    return time === undefined ? undefined : time + ms;
  };
  return { ...clock, now };
}
