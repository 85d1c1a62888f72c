import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { createApprovalFlow } from 'countersign';
import { subscriptions } from 'countersign/plugins/subscriptions';
import { scriptedModel } from 'countersign/testing';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { countingTools } from '../../support/flow-fixture.ts';
import { openStore } from './open-store.ts';

// An instance that does nothing but deliver events: to a file, flushed to disk before the delivery counts as done. Settings are
// environment variables: the store's, FAULTS_DELIVERED (the file), FAULTS_NAME, FAULTS_KILL (such as `delivery.3`: right
// after the third delivery; `before.2` or `after.2`: around the second commit), FAULTS_FAILS (a question whose opening
// is never delivered), FAULTS_LEASE (milliseconds).
const { FAULTS_DELIVERED: path = '', FAULTS_NAME: name, FAULTS_KILL: kill = '' } = process.env;
const { FAULTS_FAILS: fails, FAULTS_LEASE: lease = '10000' } = process.env;
const [place, nth = '0'] = kill.split('.');
const passed = { delivery: 0, before: 0, after: 0 };

function dieAt(here: keyof typeof passed): void {
  passed[here] += 1;
  if (place === here && passed[here] === Number(nth)) process.kill(process.pid, 'SIGKILL');
}

function record(line: object): void {
  const file = openSync(path, 'a');
  writeSync(file, `${JSON.stringify(line)}\n`);
  fsyncSync(file);
  closeSync(file);
}

function killedAround(opened: FlowStore): FlowStore {
  const { subscriptions } = opened;
  if (!subscriptions) throw new Error('This store has no subscriptions.');
  return {
    ...opened,
    subscriptions: {
      ...subscriptions,
      commit: async (result) => {
        dieAt('before');
        const committed = await subscriptions.commit(result);
        dieAt('after');
        return committed;
      },
    },
  };
}

const store = killedAround(openStore(process.env));
const flow = createApprovalFlow({
  store,
  model: scriptedModel([]),
  // Those of the instance that asks: an instance without them withdraws its questions.
  tools: countingTools().tools,
  sweepMs: 50,
  leaseMs: Number(lease),
  logger: { warn: () => {}, error: () => {} },
  plugins: [
    subscriptions({
      subscribers: [
        {
          id: 'file',
          deliver: async (event) => {
            const subject = 'question' in event.data ? event.data.question.id : event.data.chatId;
            if (event.type === 'question.opened' && subject === fails) return { failed: 'It fails.' };
            record({ id: event.id, type: event.type, subject, by: name });
            dieAt('delivery');
            return undefined;
          },
        },
      ],
    }),
  ],
});
process.on('SIGTERM', async () => {
  await flow.close();
  await store.close();
  process.exit();
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
