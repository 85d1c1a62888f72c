import { asSchema, type FlexibleSchema } from '@ai-sdk/provider-utils';
import { isRecord } from '../../protocol/index.ts';
import { uncheckedPatterns } from '../../protocol/wire/unchecked-patterns.ts';
import { createLinearPatterns } from './linear-pattern.ts';
import { patternsIn } from './patterns-in.ts';

/** The JSON Schema of a form as pages get it: it names the patterns that the server does not check. */
export function shownForm(schema: unknown): unknown {
  const { knows } = createLinearPatterns();
  const unchecked = patternsIn(schema).filter((pattern) => !knows(pattern));
  return isRecord(schema) && unchecked.length > 0 ? { ...schema, [uncheckedPatterns]: unchecked } : schema;
}

/** The same for the schema of what a person fills in. A validator checks all patterns. */
export async function shownAnswer(given: FlexibleSchema | undefined): Promise<unknown> {
  if (given === undefined) return undefined;
  const schema = asSchema(given);
  const own = await schema.jsonSchema;
  return schema.validate ? own : shownForm(own);
}
