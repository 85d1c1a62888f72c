import { asSchema } from '@ai-sdk/provider-utils';
import type { ToolSet } from 'ai';

type Tool = ToolSet[string];
type ToolSchema = ReturnType<typeof asSchema>;

/**
 * The schemas of a flow's tools in the SDK's own form, each made once: its JSON Schema is worked out when it is first
 * asked for, and costs nothing at later steps and questions.
 */
export function createSchemas() {
  const known = new WeakMap<object, ToolSchema>();

  return {
    /** What a tool takes. One whose author makes its schema anew each time is asked each time. */
    inputOf({ inputSchema }: Tool): ToolSchema {
      if (typeof inputSchema !== 'object' || inputSchema === null) return asSchema(inputSchema);
      const schema = known.get(inputSchema) ?? asSchema(inputSchema);
      known.set(inputSchema, schema);
      return schema;
    },
  };
}

/** @see createSchemas */
export type Schemas = ReturnType<typeof createSchemas>;
