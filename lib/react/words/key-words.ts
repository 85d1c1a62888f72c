/** All texts of `ApprovalKeys`. Pass your own for another language or tone. */
export type KeyWords = {
  /** The label of the button, and of the dialog that lists the keys. */
  title: string;
  next: string;
  previous: string;
  approve: string;
  deny: string;
  edit: string;
  list: string;
  /** What Enter does. */
  press: string;
  /** The shortcuts that work anywhere in a card, even while typing a reason. */
  approveInCard: string;
  denyInCard: string;
  /** What Escape does. */
  leave: string;
  /** Turns single-key shortcuts on and off. */
  singleKeys: string;
  close: string;
  confirmTitle: string;
  confirm: string;
  cancel: string;
};

/** Plain English. */
export const defaultKeyWords: KeyWords = {
  title: 'Keyboard shortcuts',
  next: 'Next request',
  previous: 'Previous request',
  approve: 'Approve (high risk requires confirmation)',
  deny: 'Deny',
  edit: 'Edit the arguments',
  list: 'Show this list',
  press: 'Open the selected request, or press the focused button',
  approveInCard: 'Approve, even while typing a reason',
  denyInCard: 'Deny, even while typing a reason',
  leave: 'Cancel editing, or close this list',
  singleKeys: 'Use single-key shortcuts',
  close: 'Close',
  confirmTitle: 'Approve this high-risk request?',
  confirm: 'Yes, approve it',
  cancel: 'Cancel',
};
