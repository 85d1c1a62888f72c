/** Plain English. */
export const defaultChatWords = {
  networkTitle: 'Connection lost',
  nothingIsLost: 'Messages and answers that were received are saved on the server.',
  /** For a message that the server has not received, once the connection is back. */
  unsentTitle: "Your message wasn't received",
  unsent: 'Try again to send it.',
  /** For an answer without a reply: the server may or may not have received it. */
  unconfirmedTitle: 'Not confirmed',
  unconfirmed:
    'The connection was lost before the server confirmed your answer. This page checks again when it reconnects.',
  /** For an answer that the server has not received: its question is still open. */
  notReceivedTitle: 'Not received',
  notReceived:
    'The server has no answer to this request. Approve or deny it again: only the first answer counts.',
  brokenTitle: 'The response was interrupted',
  settledTitle: 'This request was already decided',
  busyTitle: 'The assistant is still working',
  refusedTitle: "The server didn't accept this",
  /** Used if the server gave no reason. */
  noReason: 'No reason was given.',
};

/** The texts of `useApprovalChat` for failures: a title and a sentence for each. */
export type ChatWords = Readonly<typeof defaultChatWords>;
