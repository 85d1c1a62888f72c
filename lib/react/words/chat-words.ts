/** What `useApprovalChat` says by itself, when something did not work. */
export type ChatWords = {
  readonly networkTitle: string;
  readonly nothingIsLost: string;
  readonly brokenTitle: string;
  readonly settledTitle: string;
  readonly busyTitle: string;
  readonly refusedTitle: string;
  /** Stands where the server gave no reason. */
  readonly noReason: string;
};

/** Plain English. */
export const defaultChatWords: ChatWords = {
  networkTitle: 'The connection was lost',
  nothingIsLost: 'Nothing is lost: the server keeps this chat and what was approved.',
  brokenTitle: 'The answer was cut short',
  settledTitle: 'This question is already settled',
  busyTitle: 'The assistant is still at work',
  refusedTitle: 'The server did not accept this',
  noReason: 'No reason was given.',
};
