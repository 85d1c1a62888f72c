import type { FieldProblem } from '../../client/form/read-draft.ts';

/** What a person has to type where a field's pattern is a well-known one. */
const patternHints: Readonly<Record<string, string>> = {
  '^[A-Z]{3}$': 'Use three capital letters, for example EUR.',
};

/** Texts of the card while arguments are edited. */
export const editWords = {
  edit: 'Edit',
  editing: 'Edit arguments',
  loadingForm: 'Loading the form…',
  formFailed: "The form couldn't be loaded.",
  tryAgain: 'Try again',
  cancelEdit: 'Cancel editing',
  nothingToEdit: 'This tool takes no arguments.',
  json: 'Arguments as JSON',
  optional: '(optional)',
  notGiven: 'Not set',
  nullValue: 'None',
  hidden: 'Hidden. Keeps its current value.',
  kept: 'Keeps its current value.',
  replace: 'Replace',
  keep: 'Keep the current value',
  add: 'Add',
  remove: 'Remove',
  /** @param index counts from 1 */
  item: (index: number): string => `Item ${index}`,
  changes: 'Your changes',
  changed: 'Changed before approval',
  noChanges: 'No changes yet.',
  proposed: 'Proposed:',
  was: 'was',
  becomes: 'becomes',
  /** Stands for the arguments as a whole. */
  whole: 'Arguments',
  /** @param count at least 1 */
  problems: (count: number): string => (count === 1 ? 'Check 1 field.' : `Check ${count} fields.`),
  problem(problem: FieldProblem): string {
    switch (problem.code) {
      case 'missing':
        return 'Required.';
      case 'not-a-number':
        return 'Enter a number.';
      case 'not-whole':
        return 'Enter a whole number.';
      case 'not-json':
        return 'Enter valid JSON.';
      case 'not-a-choice':
        return 'Choose one of the values.';
      case 'wrong-pattern':
        return patternHints[problem.pattern] ?? 'Use the required format.';
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
