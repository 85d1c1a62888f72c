/** Plain English. */
export const deliveryWords = {
  /** Shown while the page is disconnected. */
  notConnected: "Not connected to the server. Answers can't be sent now.",
  /** An answer was given, but cannot be sent. @param isApproval false for a denial */
  unsent: (isApproval: boolean): string => `${answerName(isApproval)} not sent: not connected to the server.`,
  sendWhenConnected: 'Send when connected',
  takeBack: 'Discard',
  /** An answer will be sent after reconnecting. @param seconds until it is dropped, at least 1 */
  queued: (isApproval: boolean, seconds: number): string =>
    `${answerName(isApproval)} not sent yet. It will be sent if this page reconnects within ${seconds} s.`,
  /** An answer was not sent, and the person must answer again. */
  dropped: (isApproval: boolean): string =>
    `${answerName(isApproval)} not sent: there was no connection. Approve or deny again.`,
  /** Over a reason or an edit of a question that was settled without it. */
  notSent: 'Not sent',
  copy: 'Copy',
  copied: 'Copied',
  discard: 'Discard',
};

/** Texts of a card for an answer that cannot be sent. */
export type DeliveryWords = Readonly<typeof deliveryWords>;

function answerName(isApproval: boolean): string {
  return isApproval ? 'Approval' : 'Denial';
}
