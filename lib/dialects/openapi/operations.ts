import { type JsonSchema, ref } from './components.ts';

/** One operation of the document. */
export type Operation = Readonly<Record<string, unknown>>;

/** A JSON answer. */
export function json(description: string, schema: JsonSchema): Operation {
  return { description, content: { 'application/json': { schema } } };
}

/** A stream of server-sent events, each of one of these schemas. */
export function eventStream(description: string, schemas: readonly JsonSchema[]): Operation {
  const schema = schemas.length === 1 ? schemas[0] : { oneOf: schemas };
  return { description, content: { 'text/event-stream': { schema } } };
}

/** A JSON body. */
export function body(schema: string): Operation {
  return { required: true, content: { 'application/json': { schema: ref(schema) } } };
}

/** A parameter of the path. */
export function inPath(name: string): Operation {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

/** An optional parameter of the query, or a header. */
export function optional(name: string, where: 'query' | 'header', description: string): Operation {
  return { name, in: where, required: false, description, schema: { type: 'string' } };
}

/**
 * An operation with the refusals that every one of them may give.
 *
 * @param responses by status
 */
export function operation(
  operationId: string,
  summary: string,
  responses: Readonly<Record<string, Operation>>,
  more: Operation = {},
): Operation {
  return {
    operationId,
    summary,
    ...more,
    responses: { ...responses, default: json('Refused: the code says why.', ref('Error')) },
  };
}
