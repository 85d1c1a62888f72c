import type { FieldProblem } from '../card/form/read-draft.ts';

/** What the card says while arguments are edited. */
export const editWords = {
  edit: 'Edit',
  editing: 'Edit the arguments',
  loadingForm: 'Preparing the form…',
  formFailed: 'The form could not be prepared.',
  tryAgain: 'Try again',
  cancelEdit: 'Cancel editing',
  nothingToEdit: 'This tool takes no arguments.',
  json: 'Arguments as JSON',
  optional: 'optional',
  notGiven: 'Not given',
  nullValue: 'None',
  hidden: 'Hidden. It stays as it is.',
  kept: 'It stays as it is.',
  replace: 'Replace',
  keep: 'Keep as it was',
  add: 'Add',
  remove: 'Remove',
  /** @param index counts from 1 */
  item: (index: number): string => `Item ${index}`,
  changes: 'Your changes',
  changed: 'Changed before it was approved',
  noChanges: 'Nothing is changed yet.',
  proposed: 'Proposed:',
  was: 'was',
  becomes: 'becomes',
  /** Stands for the arguments as a whole. */
  whole: 'Arguments',
  /** @param count at least 1 */
  problems: (count: number): string =>
    count === 1 ? 'One field needs another look.' : `${count} fields need another look.`,
  problem(problem: FieldProblem): string {
    switch (problem.code) {
      case 'missing':
        return 'This is needed.';
      case 'not-a-number':
        return 'This is no number.';
      case 'not-whole':
        return 'A whole number is needed.';
      case 'not-json':
        return 'This is no JSON.';
      case 'not-a-choice':
        return 'Choose one of the values.';
      case 'wrong-pattern':
        return 'This does not have the right form.';
      case 'too-small':
        return `At least ${problem.limit}.`;
      case 'too-large':
        return `At most ${problem.limit}.`;
      case 'not-above':
        return `More than ${problem.limit}.`;
      case 'not-below':
        return `Less than ${problem.limit}.`;
      case 'too-short':
        return `At least ${problem.limit} characters.`;
      case 'too-long':
        return `At most ${problem.limit} characters.`;
      case 'too-few':
        return `At least ${problem.limit} ${problem.limit === 1 ? 'item' : 'items'}.`;
      case 'too-many':
        return `At most ${problem.limit} ${problem.limit === 1 ? 'item' : 'items'}.`;
    }
  },
} as const;
