import { jsonSchema, type Schema } from '@ai-sdk/provider-utils';
import { type PatternFault, patternFaults } from './judge-patterns.ts';
import { patternsIn } from './patterns-in.ts';

const messages = {
  unfit: 'The value does not have the required format.',
  unknown: 'The format of this value cannot be checked.',
} as const;

/** Says where a value does not fit, in the form of a Standard Schema's issues. */
class PatternError extends Error {
  override readonly name = 'PatternError';
  readonly issues: readonly object[];

  constructor(fieldErrors: readonly PatternFault[]) {
    super(
      fieldErrors.map(({ path, fit }) => `${messages[fit]} (at ${path.join('.') || 'the top'})`).join(' '),
    );
    this.issues = fieldErrors.map(({ path, fit, pattern }) => ({
      code: 'pattern',
      message: messages[fit],
      path,
      pattern: fit === 'unfit' && pattern !== undefined ? pattern : undefined,
    }));
  }
}

/**
 * A schema whose patterns are checked. That of an MCP server, or of a client, has no validator, so its patterns are evaluated here, in
 * linear time. A validator is code of the app, and stays as it is.
 *
 * @param unknown whether a value passes whose pattern the engine does not know
 * @source ADR 0053
 */
export function withPatterns<Value>(
  schema: Schema<Value>,
  { unknown }: { readonly unknown: 'passes' | 'refused' },
): Schema<Value> {
  if (schema.validate) return schema;
  return jsonSchema<Value>(() => schema.jsonSchema, {
    async validate(value) {
      const own = await schema.jsonSchema;
      const fieldErrors = patternsIn(own).length > 0 ? patternFaults(own, value) : [];
      const refused = fieldErrors.filter(({ fit }) => fit === 'unfit' || unknown === 'refused');
      return refused.length > 0
        ? { success: false, error: new PatternError(refused) }
        : { success: true, value: value as Value };
    },
  });
}
