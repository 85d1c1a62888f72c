import { createBidiServer } from '../../bidi/server.ts';
import { flowRoutes } from '../server/flow-routes.ts';
import { serve } from '../server/serve.ts';
import { addressesOf, type FlowServer, tester } from '../server/start-flow-server.ts';
import { backendFlow } from './backend-flow.ts';
import { misbehavingChat } from './misbehaving-chat.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import { type PaymentLedger, paymentLedger } from './payment-ledger.ts';
import { socketOverFetch } from './socket-over-fetch.ts';

/** A running backend and the payments that it made. */
export type Backend = Omit<FlowServer, 'flow'> & Pick<PaymentLedger, 'payments'>;

/**
 * Starts a chat backend on a free loopback port, over HTTP and WebSocket. It either follows all rules or breaks one.
 * Use it to test a checker or a client. For any message its model requests two payments, one after the other.
 *
 *     const backend = await startBackend(misbehaviours.find(({ name }) => name === 'result-too-early'));
 *
 * @param misbehaviour default: none, so the backend follows every rule
 */
export async function startBackend(misbehaviour?: Misbehaviour): Promise<Backend> {
  const settings = { authorize: () => tester, logger: { warn: () => {}, error: () => {} } };
  const ledger = paymentLedger();
  const { flow, close } = backendFlow(ledger);
  const fetch = flowRoutes(
    flow,
    settings,
    misbehaviour && misbehavingChat(flow, misbehaviour, ledger, settings),
  );
  const sockets = misbehaviour ? socketOverFetch(fetch, settings) : createBidiServer(flow, settings);
  const served = await serve({ fetch, upgrade: sockets.handleUpgrade });
  return {
    ...addressesOf(served.url),
    payments: ledger.payments,
    async close() {
      await sockets.close();
      await served.close();
      await close();
    },
  };
}
