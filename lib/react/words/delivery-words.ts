/** Texts of a card about an answer that cannot be sent. */
export type DeliveryWords = {
  /** Shown while the page has lost its server. */
  readonly notConnected: string;
  /** An answer was given, and cannot be sent. @param isApproval else it is a denial */
  held(isApproval: boolean): string;
  readonly sendWhenConnected: string;
  readonly takeBack: string;
  /** An answer is sent when the page is connected. @param seconds until it is given up, at least 1 */
  queued(isApproval: boolean, seconds: number): string;
  /** An answer waited for too long, and was not sent. */
  tooLate(isApproval: boolean): string;
  /** Over a reason or an edit of a question that was settled without it. */
  readonly notSent: string;
  readonly copy: string;
  readonly copied: string;
  readonly discard: string;
};

/** Plain English. */
export const deliveryWords: DeliveryWords = {
  notConnected: "Not connected to the server. An answer can't be sent now.",
  held: (isApproval) => `${answerName(isApproval)} not sent: not connected to the server.`,
  sendWhenConnected: 'Send when connected',
  takeBack: 'Take back',
  queued: (isApproval, seconds) =>
    `${answerName(isApproval)} not sent yet. It is sent if the connection is back within ${seconds} s.`,
  tooLate: (isApproval) =>
    `${answerName(isApproval)} not sent: there was no connection for a minute. Approve or deny again.`,
  notSent: 'Not sent',
  copy: 'Copy',
  copied: 'Copied',
  discard: 'Discard',
};

function answerName(isApproval: boolean): string {
  return isApproval ? 'Approval' : 'Denial';
}
