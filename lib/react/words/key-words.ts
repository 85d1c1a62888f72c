import { useSection } from './use-section.ts';

/** Plain English. */
export const defaultKeyWords = {
  /** The label of the button, and of the dialog that lists the keys. */
  title: 'Keyboard shortcuts',
  next: 'Next request',
  previous: 'Previous request',
  approve: 'Approve (high risk requires confirmation)',
  deny: 'Deny',
  edit: 'Edit the arguments',
  list: 'Show this list',
  /** What Enter does. */
  press: 'Open the selected request, or press the focused button',
  /** The shortcuts that work anywhere in a card, even while typing a reason. */
  approveInCard: 'Approve, even while typing a reason',
  denyInCard: 'Deny, even while typing a reason',
  /** What Escape does. */
  leave: 'Cancel editing, or close this list',
  /** Turns single-key shortcuts on and off. */
  singleKeys: 'Use single-key shortcuts',
  close: 'Close',
  confirmTitle: 'Approve this high-risk request?',
  confirm: 'Yes, approve it',
  cancel: 'Cancel',
};

/** All texts of `ApprovalKeys`. Pass your own for another language or tone. */
export type KeyWords = Readonly<typeof defaultKeyWords>;

/** The texts of `ApprovalKeys`. */
export const useKeyWords = (): KeyWords => useSection('keys', defaultKeyWords);
