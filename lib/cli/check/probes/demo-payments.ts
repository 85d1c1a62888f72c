import { isRecord } from '../../../protocol/index.ts';

/** A record of what really ran, if the backend publishes one, like `GET /api/demo/payments` of the reference app. */
export type PaymentBook = {
  /** The call of each payment so far; `undefined` if the record cannot be read. */
  calls(): Promise<readonly unknown[] | undefined>;
};

/**
 * Opens the reference app's record of payments, if the backend has one at that path and it contains some of the given
 * calls. A record without any of them proves nothing.
 *
 * @returns `undefined` for any other backend
 * @source H-Demo
 */
export async function openPaymentBook(
  settings: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  toolCallIds: readonly string[],
  takeSignal: () => AbortSignal,
): Promise<PaymentBook | undefined> {
  const address = new URL('/api/demo/payments', settings.url);
  const calls = async () => {
    const signal = takeSignal();
    try {
      const response = await fetch(address, { headers: { ...settings.headers }, signal });
      const body: unknown = response.ok ? await response.json() : undefined;
      if (!isRecord(body) || !Array.isArray(body.payments)) return undefined;
      return body.payments.map((payment: unknown) => (isRecord(payment) ? payment.toolCallId : undefined));
    } catch {
      return undefined;
    }
  };
  const known = await calls();
  return known?.some((id) => toolCallIds.some((own) => own === id)) ? { calls } : undefined;
}
