/** Small payments need no approval. */
export const toolApproval = {
  pay: ({ amount }: { amount: number }) =>
    amount > 500 ? { type: 'denied', reason: 'Too much.' } : 'approved',
};
