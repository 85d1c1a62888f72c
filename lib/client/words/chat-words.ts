/** The texts of `useApprovalChat` for failures: a title and a sentence for each. */
export type ChatWords = {
  readonly networkTitle: string;
  readonly nothingIsLost: string;
  /** For a message that the server has not received, once the connection is back. */
  readonly unsentTitle: string;
  readonly unsent: string;
  /** For an answer without a reply: the server may or may not have received it. */
  readonly unconfirmedTitle: string;
  readonly unconfirmed: string;
  /** For an answer that the server has not received: its question is still open. */
  readonly notReceivedTitle: string;
  readonly notReceived: string;
  readonly brokenTitle: string;
  readonly settledTitle: string;
  readonly busyTitle: string;
  readonly refusedTitle: string;
  /** Used if the server gave no reason. */
  readonly noReason: string;
};

/** Plain English. */
export const defaultChatWords: ChatWords = {
  networkTitle: 'Connection lost',
  nothingIsLost: 'Messages and answers that were received are saved on the server.',
  unsentTitle: "Your message wasn't received",
  unsent: 'Try again to send it.',
  unconfirmedTitle: 'Not confirmed',
  unconfirmed:
    'The connection was lost before the server confirmed your answer. This page checks again when it reconnects.',
  notReceivedTitle: 'Not received',
  notReceived:
    'The server has no answer to this request. Approve or deny it again: only the first answer counts.',
  brokenTitle: 'The response was interrupted',
  settledTitle: 'This request was already decided',
  busyTitle: 'The assistant is still working',
  refusedTitle: "The server didn't accept this",
  noReason: 'No reason was given.',
};
