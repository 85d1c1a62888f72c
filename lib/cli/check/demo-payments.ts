import { isRecord } from '../../protocol/index.ts';

/** The book of what really ran, where a backend keeps one open: the reference app's `GET /api/demo/payments`. */
export type PaymentBook = {
  /** The call of each payment so far. `undefined` when the book cannot be read (any more). */
  calls(): Promise<readonly unknown[] | undefined>;
};

/**
 * Opens the book of the reference app, if the backend has one at the address where that app keeps it, and if some
 * of the given calls are in it: a book that has nothing to do with them proves nothing.
 *
 * @returns `undefined` for any other backend
 * @source contract H, "Demo prompts"
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
