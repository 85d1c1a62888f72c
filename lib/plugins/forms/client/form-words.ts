import type { FieldKind } from './field.ts';
import type { FieldProblem } from './read-draft.ts';

/** Hints for well-known patterns of fields. */
const patternHints: Readonly<Record<string, string>> = {
  '^[A-Z]{3}$': 'Use three capital letters, for example EUR.',
};

const momentProblems = {
  date: 'Enter a full date.',
  time: 'Enter a full time.',
  'date-time': 'Enter a full date and time.',
} as const;

/** Texts of a form. A page loads their English with the form. */
export type FormWords = {
  /** The heading of the form if the arguments are the answer to a question that a running call asks. */
  readonly fillIn: string;
  readonly nothingToEdit: string;
  readonly optional: string;
  readonly nullValue: string;
  /** The option that an omitted value counts as. @param name of the option */
  defaultOption(name: string): string;
  /** What an omitted value counts as. */
  defaultValue(value: string): string;
  /** Shown below a date and time. @param zone this person's time zone, such as `Europe/Berlin` */
  localZone(zone: string): string;
  /** The names of the kinds of a value with several possible kinds. */
  readonly kinds: { readonly [Kind in FieldKind['type']]: string };
  /** Shown below a field whose format is not checked. */
  readonly unchecked: string;
  /** Shown instead of a secret value. */
  readonly hidden: string;
  /** For a value that the form cannot show. */
  readonly kept: string;
  readonly replace: string;
  readonly keep: string;
  readonly add: string;
  readonly remove: string;
  readonly moveUp: string;
  readonly moveDown: string;
  /**
   * Which items of a long list are shown.
   *
   * @param from counts from 1
   * @param to counts from 1
   * @param of the total
   */
  itemsShown(from: number, to: number, of: number): string;
  /** Shows the previous items. */
  readonly previousItems: string;
  readonly nextItems: string;
  /** Announced after an item moved. @param list its name @param position counts from 1 @param count of items */
  moved(list: string, position: number, count: number): string;
  /** The heading of the list of problems. */
  readonly problemSummary: string;
  /** What is wrong with the value of a field, and how to correct it. */
  problem(problem: FieldProblem): string;
};

/** Plain English. */
export const formWords: FormWords = {
  fillIn: 'Your answer',
  nothingToEdit: 'This tool takes no arguments.',
  optional: '(optional)',
  nullValue: 'None',
  defaultOption: (name) => `${name} (default)`,
  defaultValue: (value) => `Default: ${value}`,
  localZone: (zone) => `In your time zone (${zone}).`,
  kinds: {
    text: 'Text',
    number: 'Number',
    moment: 'Date or time',
    'yes-no': 'Yes or no',
    choice: 'Choice',
    object: 'Fields',
    list: 'List',
    union: 'Choice',
    json: 'JSON',
  },
  unchecked: 'The format of this value isn’t checked.',
  hidden: 'Hidden. Keeps its current value.',
  kept: 'Keeps its current value.',
  replace: 'Replace',
  keep: 'Keep the current value',
  add: 'Add',
  remove: 'Remove',
  moveUp: 'Move up',
  moveDown: 'Move down',
  itemsShown: (from, to, of) => `Items ${from} to ${to} of ${of}`,
  previousItems: 'Previous items',
  nextItems: 'Next items',
  moved: (list, position, count) => `${list}: moved to position ${position} of ${count}.`,
  problemSummary: 'There is a problem',
  problem(problem) {
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
      case 'not-an-email':
        return 'Enter an email address, for example name@example.com.';
      case 'not-a-url':
        return 'Enter a full address, for example https://example.com.';
      case 'not-a-moment':
        return momentProblems[problem.precision];
      case 'refused':
        return problem.message ?? 'Check this value.';
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
      case 'not-a-multiple':
        return `Use a multiple of ${problem.limit}.`;
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
};
