import type { RequestBody } from '../../support/openai-rules.ts';
import type { ScriptedResponse } from '../../support/openai-script.ts';
import { serveResponses } from '../../support/openai-server.ts';

/**
 * OpenAI's API on the loopback interface, with a model that pays whom it is told to: "Pay Alice 30 and Bob 40" makes
 * two calls of `process_payment` at once, and then one sentence.
 *
 * @returns the environment that leads a program there. The caller closes it
 */
export async function servePaymentProvider(): Promise<PaymentProvider> {
  const { url, close } = await serveResponses(answerTo);
  return { environment: { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'test-key' }, close };
}

/** A running provider. */
export type PaymentProvider = {
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

function answerTo({ input }: RequestBody, number: number): ScriptedResponse {
  const asked = input.findLastIndex(({ role }) => role === 'user');
  const outputs = input.slice(asked).filter(({ type }) => type === 'function_call_output');
  const orders = [...JSON.stringify(input[asked]).matchAll(/([A-Z][a-z]+) (\d+)/g)];
  if (outputs.length > 0 || orders.length === 0) {
    const text = outputs.length > 0 ? `${outputs.length} payments are settled.` : 'How can I help?';
    return [{ text, id: `msg_${number}` }];
  }
  return orders.map(([, recipient, amount], index) => ({
    call: 'process_payment',
    id: `fc_${number}_${index}`,
    callId: `call_${number}_${index}`,
    input: { recipient, amount: Number(amount) },
  }));
}
