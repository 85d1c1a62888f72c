import { createBidiServer } from '../../bidi/server.ts';
import { flowRoutes } from '../flow-routes.ts';
import { serve } from '../serve.ts';
import { addressesOf, type FlowServer, tester } from '../start-flow-server.ts';
import { backendFlow } from './backend-flow.ts';
import { misbehavingChat } from './misbehaving-chat.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import { type PaymentLedger, paymentLedger } from './payment-ledger.ts';
import { socketOverFetch } from './socket-over-fetch.ts';

/** A backend that runs, and the payments that it really made. */
export type Backend = Omit<FlowServer, 'flow'> & Pick<PaymentLedger, 'payments'>;

/**
 * Starts a chat backend on a free port of the loopback interface, over HTTP and WebSocket alike, that behaves well or
 * breaks one rule: to see whether a check catches it, or what a client makes of it. Any message makes its model ask
 * for two payments, one after the other.
 *
 *     const backend = await startBackend(misbehaviours.find(({ name }) => name === 'result-too-early'));
 *
 * @param misbehaviour without one, the backend keeps every rule
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
