/** The texts of `useApprovalChat` for failures. */
export type ChatWords = {
  readonly networkTitle: string;
  readonly nothingIsLost: string;
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
  nothingIsLost: 'This chat and your approvals are saved on the server.',
  brokenTitle: 'The response was interrupted',
  settledTitle: 'This request was already decided',
  busyTitle: 'The assistant is still working',
  refusedTitle: "The server didn't accept this",
  noReason: 'No reason was given.',
};
