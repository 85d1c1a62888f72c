/** What the tool `pay` is told to do. */
export type PaymentInput = { readonly to: string; readonly amount: number };

/** One payment that was made. No two have the same receipt, so a call that ran again can be told by its output. */
export type Payment = PaymentInput & { readonly receipt: number };

/** The world that a backend's tool acts on: every payment, for a test to count. */
export type PaymentLedger = {
  /** Payments in the order they were made, each with the call that made it. */
  readonly payments: readonly (Payment & { readonly toolCallId: string })[];
  /** Pays, always: what must not run twice is not this book's business. */
  pay(toolCallId: string, input: PaymentInput): Payment;
  /** The last payment that a call made. */
  lastOf(toolCallId: string): Payment | undefined;
};

/** An empty ledger. */
export function paymentLedger(): PaymentLedger {
  const payments: (Payment & { toolCallId: string })[] = [];
  return {
    payments,
    pay(toolCallId, { to, amount }) {
      const payment = { receipt: payments.length + 1, to, amount };
      payments.push({ ...payment, toolCallId });
      return payment;
    },
    lastOf(toolCallId) {
      const found = payments.findLast((payment) => payment.toolCallId === toolCallId);
      return found && { receipt: found.receipt, to: found.to, amount: found.amount };
    },
  };
}
