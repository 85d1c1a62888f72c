/** The input of the tool `pay`. */
export type PaymentInput = { readonly to: string; readonly amount: number };

/** One executed payment. Receipts are unique, so a repeated run is visible in the output. */
export type Payment = PaymentInput & { readonly receipt: number };

/** Records every payment, for a test to count. */
export type PaymentLedger = {
  /** Payments in order, each with the call that made it. */
  readonly payments: readonly (Payment & { readonly toolCallId: string })[];
  /** Records a payment. Does not check for repeated calls. */
  pay(toolCallId: string, input: PaymentInput): Payment;
  /** The last payment of a call. */
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
