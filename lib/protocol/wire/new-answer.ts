import { z } from 'zod';
import type { AnswerPlugins } from '../plugin-fields.ts';
import type { WireObject } from './wire-object.ts';

const maxNoteLength = 2_000;

/** A text that a person writes for the model. @param name the beginning of the error message @source ADR 0002.3 */
export const noteSchema = (name: string) =>
  z
    .string({ error: `${name} must be a string.` })
    .max(maxNoteLength, { error: `${name} has at most ${maxNoteLength} characters.` });

export const approvedError = 'An answer must contain `approved`: true or false.';

/** The longest id of an option. */
const longestOption = 32;

const newAnswerShape = {
  /** Required without `option`. */
  approved: z
    .boolean({ error: approvedError })
    .optional()
    .describe('Required without `option`. With it, the two must agree.'),
  /**
   * One of the question's `options`, by its id: it approves the arguments that were shown with it, or denies.
   *
   * @source ADR 0050
   */
  option: z
    .string({ error: '`option` must be the id of one of the options of the question.' })
    .max(longestOption, { error: '`option` must be the id of one of the options of the question.' })
    .optional()
    .describe('The id of one of the `options` of the question.'),
  /** Passed to the model. At most 2,000 characters. */
  reason: noteSchema('A reason').optional(),
  /**
   * What the person filled in, if the question has `needsValue`: the result of the call. At most 65,536 characters of JSON.
   *
   * @source ADR 0050
   */
  value: z.unknown().optional().describe('The answer to a question with `needsValue`.'),
  /** Edited arguments. Omit to approve them as proposed. */
  input: z.unknown().optional().describe("Edited arguments; must fit the tool's schema."),
  /**
   * The `digest` of the question's `preview` as it was shown. If the effect has changed, the answer is
   * refused (`preview-changed`). Omit it to answer regardless of the effect.
   *
   * @source ADR 0040
   */
  previewDigest: z
    .string()
    .max(200)
    .optional()
    .describe('Digest of the effect as it was shown. A different digest gives 409.'),
  /**
   * The `digest` of the question as it was shown. Another one is refused (`input-mismatch`). Omit it to answer whatever was
   * shown.
   *
   * @source ADR 0044
   */
  digest: z
    .string()
    .max(200)
    .optional()
    .describe('Digest of the question as it was shown. A different digest gives 409.'),
  /** What the answer says to plugins, by the name of the plugin. Only with an approval. @source ADR 0056 */
  plugins: (z.record(z.string(), z.unknown()) as z.ZodType<AnswerPlugins>)
    .optional()
    .describe('What the answer says to plugins, by the name of the plugin.'),
};

/** The body of `POST /api/approvals/{id}`, and each of `answers` of `POST /api/chat`. @source H1, H10 */
export const newAnswerSchema = z.object(newAnswerShape, { error: approvedError });

/** A person's answer about a question, without the question's id. @source H10 */
export type NewAnswerJson = WireObject<typeof newAnswerShape>;
