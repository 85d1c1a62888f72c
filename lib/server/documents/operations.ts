import type { z } from 'zod';
import type { Operation, Part } from '../../flow/plugin/open-api.ts';
import type { ErrorCode } from '../../protocol/index.ts';

/** A JSON Schema, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export function json(description: string, schema: JsonSchema): Part {
  return { description, content: { 'application/json': { schema } } };
}

export const noContent: Part = { description: 'Done; no content.' };

export function body(schema: string): Part {
  return { required: true, content: { 'application/json': { schema: ref(schema) } } };
}

export function inPath(name: string): Part {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

export function optional(name: string, where: 'query' | 'header', description: string): Part {
  return { name, in: where, required: false, description, schema: { type: 'string' } };
}

export function required(name: string, description: string): Part {
  return { name, in: 'query', required: true, description, schema: { type: 'string' } };
}

/** Lists have pages. */
export const cursor: Part = optional('cursor', 'query', 'Where the next page begins.');

export const lastEventId: Part = optional('Last-Event-ID', 'header', 'Go on after this event.');

/** Codes of a command that answers a question, besides those about its state. */
export const answerRefusals: readonly ErrorCode[] = [
  'step-up-required',
  'superseded',
  'expired',
  'input-mismatch',
  'preview-changed',
  'paused',
  'plugin-missing',
];

/** An operation. The document adds its tag, and a response for each of its refusals. */
export function operation(
  operationId: string,
  summary: string,
  responses: Part,
  more: Part & Pick<Operation, 'refusals'> = {},
): Operation {
  return { operationId, summary, ...more, responses };
}

/** Schemas under names with a prefix: `<prefix>.<name>`. */
export function prefixed<Schema>(
  prefix: string,
  schemas: Readonly<Record<string, Schema>>,
): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${prefix}.${name}`, schema]));
}

/** Describes fields of an object. @see OpenApiPart.descriptions */
export function fieldsOf<Shape extends z.ZodRawShape>(
  { shape }: { readonly shape: Shape },
  texts: { readonly [Field in keyof Shape]?: string },
): [unknown, string][] {
  return Object.entries(texts).map(([field, text]) => [shape[field], String(text)]);
}
