/** Texts of the card around the form in which arguments are edited. */
export type EditWords = {
  /** The button that begins to edit. */
  readonly edit: string;
  readonly loadingForm: string;
  readonly formFailed: string;
  readonly tryAgain: string;
  readonly notGiven: string;
  /** Labels one item of a list. @param index counts from 1 */
  item(index: number): string;
  /** The heading of the person's edits. */
  readonly changes: string;
  /** The heading of the edits of an approved call. */
  readonly changed: string;
  readonly noChanges: string;
  /** Shown before the description of the arguments that the model proposed. */
  readonly proposed: string;
  /** Shown before an old value. */
  readonly was: string;
  /** Shown before a new value. */
  readonly becomes: string;
  /** The name of the arguments as a whole. */
  readonly whole: string;
  /** @param count at least 1 */
  problems(count: number): string;
};

/** Plain English. */
export const editWords: EditWords = {
  edit: 'Edit',
  loadingForm: 'Loading the form…',
  formFailed: "The form couldn't be loaded.",
  tryAgain: 'Try again',
  notGiven: 'Not set',
  item: (index) => `Item ${index}`,
  changes: 'Your changes',
  changed: 'Changed before approval',
  noChanges: 'No changes yet.',
  proposed: 'Proposed:',
  was: 'was',
  becomes: 'becomes',
  whole: 'Arguments',
  problems: (count) => (count === 1 ? 'Check 1 field.' : `Check ${count} fields.`),
};
