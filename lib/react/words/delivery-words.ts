/** Texts of a card for an answer that cannot be sent. */
export type DeliveryWords = {
  /** Shown while the page is disconnected. */
  readonly notConnected: string;
  /** An answer was given, but cannot be sent. @param isApproval false for a denial */
  unsent(isApproval: boolean): string;
  readonly sendWhenConnected: string;
  readonly takeBack: string;
  /** An answer will be sent after reconnecting. @param seconds until it is dropped, at least 1 */
  queued(isApproval: boolean, seconds: number): string;
  /** An answer was not sent, and the person must answer again. */
  dropped(isApproval: boolean): string;
  /** Over a reason or an edit of a question that was settled without it. */
  readonly notSent: string;
  readonly copy: string;
  readonly copied: string;
  readonly discard: string;
};

/** Plain English. */
export const deliveryWords: DeliveryWords = {
  notConnected: "Not connected to the server. Answers can't be sent now.",
  unsent: (isApproval) => `${answerName(isApproval)} not sent: not connected to the server.`,
  sendWhenConnected: 'Send when connected',
  takeBack: 'Discard',
  queued: (isApproval, seconds) =>
    `${answerName(isApproval)} not sent yet. It will be sent if this page reconnects within ${seconds} s.`,
  dropped: (isApproval) =>
    `${answerName(isApproval)} not sent: there was no connection. Approve or deny again.`,
  notSent: 'Not sent',
  copy: 'Copy',
  copied: 'Copied',
  discard: 'Discard',
};

function answerName(isApproval: boolean): string {
  return isApproval ? 'Approval' : 'Denial';
}
