import type { FieldPath } from '../protocol/field-path.ts';
import type { Question } from '../protocol/index.ts';
import type { Html } from './html.ts';

/** The texts of the controls of a form, by the paths of their fields. */
export type Typed = ReadonlyMap<FieldPath, string>;

/**
 * Why a value was not accepted, by field, in sentences for people. The path `''` may stand for the whole value; none if there is no
 * more to say.
 */
export type Problems = ReadonlyMap<FieldPath, string>;

/** What precedes the path of a field in the name of its control. */
export const controlPrefix = 'value';

/** What a person fills in to approve a question, on a page without scripts. @source ADR 0053 */
export type PageForm = {
  /** The name of the value in the answer. */
  readonly sentAs: 'value' | 'input';
  /** What the controls show before anything is typed. */
  readonly begun: Typed;
  /** A control for each field, with its problem. */
  fields(typed: Typed, problems: Problems): Html;
  /** Items of a list of problems, with links to their fields. */
  problemItems(problems: Problems): readonly Html[];
  /**
   * The value of what was typed, valid only without problems.
   *
   * @throws CountersignError `invalid-request` for a control that the form does not have
   */
  read(typed: Typed): { readonly value: unknown; readonly problems: Problems };
  /** The problems in the `fieldErrors` of the server. */
  refused(fieldErrors: unknown): Problems;
};

/** What a form is made from: a question that needs a value, and the JSON Schema of the value. */
export type FormQuestion = Pick<Question, 'needsValue' | 'input'> & { readonly inputSchema?: unknown };

/** Finds the form of a question, `undefined` if a page cannot show all of it. */
export type PageForms = (question: FormQuestion) => PageForm | undefined;
