/** A JSON Schema, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A reference to a schema of the document. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** A part of the document. */
export type Part = Readonly<Record<string, unknown>>;

/** One operation, with its answers by status. */
export type Operation = Part & { readonly responses: Part };

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The operations of one path by method, and the path's parameters. */
export type Path = { readonly [method in Method]?: Operation } & { readonly parameters?: readonly Part[] };

/** A JSON answer. */
export function json(description: string, schema: JsonSchema): Part {
  return { description, content: { 'application/json': { schema } } };
}

/** An answer without content. */
export const noContent: Part = { description: 'Done; no content.' };

/** A JSON body. */
export function body(schema: string): Part {
  return { required: true, content: { 'application/json': { schema: ref(schema) } } };
}

/** A parameter of the path. */
export function inPath(name: string): Part {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

/** An optional parameter of the query, or a header. */
export function optional(name: string, where: 'query' | 'header', description: string): Part {
  return { name, in: where, required: false, description, schema: { type: 'string' } };
}

/** A required query parameter. */
export function required(name: string, description: string): Part {
  return { name, in: 'query', required: true, description, schema: { type: 'string' } };
}

/** Lists have pages. */
export const cursor: Part = optional('cursor', 'query', 'Where the next page begins.');

/** Resumes an event stream. */
export const lastEventId: Part = optional('Last-Event-ID', 'header', 'Go on after this event.');

/** An operation. The refusals are added with its path. */
export function operation(operationId: string, summary: string, responses: Part, more: Part = {}): Operation {
  return { operationId, summary, ...more, responses };
}
