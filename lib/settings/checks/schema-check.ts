import { asSchema, type FlexibleSchema } from '@ai-sdk/provider-utils';
import { isRecord } from '../../protocol/index.ts';
import { type SettingCheck, unfit } from '../../protocol/settings.ts';

/** Refuses arguments that no model can be given: providers take only objects. A lazy schema cannot be checked here. */
export const argumentsCheck: SettingCheck = (value, path) => {
  const json = jsonSchemaOf(value, path, 'cannot be given to a model');
  const { type } = isRecord(json) ? json : {};
  if (type !== undefined && type !== 'object') {
    unfit(path, 'cannot be given to a model: its JSON Schema must have the type `object`');
  }
};

/** Refuses the schema of a value that a person fills in and no page can show. */
export const formCheck: SettingCheck = (value, path) => {
  jsonSchemaOf(value, path, 'cannot be shown as a form');
};

function jsonSchemaOf(value: unknown, path: string, problem: string): unknown {
  try {
    const { jsonSchema } = asSchema(value as FlexibleSchema<unknown>);
    if (jsonSchema instanceof Promise) void jsonSchema.catch(() => {});
    return jsonSchema;
  } catch (error) {
    // The field is named, because libraries name only its type.
    for (const [name, field] of Object.entries(fieldsOf(value)))
      jsonSchemaOf(field, `${path}.${name}`, problem);
    return unfit(path, `${problem}: ${error instanceof Error ? error.message : 'it has no JSON Schema'}`);
  }
}

function fieldsOf(schema: unknown): object {
  return isRecord(schema) && isRecord(schema.shape) ? schema.shape : {};
}
