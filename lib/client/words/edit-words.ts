/** Plain English. */
export const editWords = {
  /** The button that begins to edit. */
  edit: 'Edit',
  loadingForm: 'Loading the form…',
  formFailed: "The form couldn't be loaded.",
  /** The heading of the form. */
  editing: 'Edit arguments',
  cancelEdit: 'Cancel editing',
  /** The label of the arguments as text. */
  json: 'Arguments as JSON',
  notJson: 'Enter valid JSON.',
  /** For a value that the server refused without a message. */
  notAccepted: "This value wasn't accepted.",
  notGiven: 'Not set',
  /** Labels one item of a list. @param index counts from 1 */
  item: (index: number): string => `Item ${index}`,
  /** The heading of the person's edits. */
  changes: 'Your changes',
  /** The heading of the edits of an approved call. */
  changed: 'Changed before approval',
  noChanges: 'No changes yet.',
  /** Shown before the description of the arguments that the model proposed. */
  proposed: 'Proposed:',
  /** Shown before an old value. */
  was: 'was',
  /** Shown before a new value. */
  becomes: 'becomes',
  /** The name of the arguments as a whole. */
  whole: 'Arguments',
  /** @param count at least 1 */
  problems: (count: number): string => (count === 1 ? 'Check 1 field.' : `Check ${count} fields.`),
};

/** Texts for editing the arguments of a call. */
export type EditWords = Readonly<typeof editWords>;
