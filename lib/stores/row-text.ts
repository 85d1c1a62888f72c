import type { FlowEvent, Grant, Question } from '../protocol/index.ts';

/**
 * Text from outside, as a column holds it. Databases keep UTF-8, which has no form for half of a surrogate pair
 * (a title cut in the middle of an emoji), and Postgres keeps no NUL; JSON writes both as escapes, and nothing is
 * replaced or refused.
 */
export function exactText(text: string): string {
  return JSON.stringify(text);
}

/** An event without what its row's own columns say, as JSON. */
export function eventBody({ seq: _seq, at: _at, runId: _runId, ...body }: FlowEvent): string {
  return JSON.stringify(body);
}

/** The run of an event as its column holds it: no run is an empty text. */
export function runText({ runId }: Pick<FlowEvent, 'runId'>): string {
  return runId ?? '';
}

/** A question without what its row's own columns say, as JSON. */
export function questionBody(question: Question): string {
  const { id: _id, chatId: _chat, ownerId: _owner, state: _state, requestedAt: _at, ...body } = question;
  return JSON.stringify(body);
}

/** A grant without what its row's own columns say, as JSON. */
export function grantBody({ id: _id, key: _key, createdAt: _at, chatId: _chat, ...body }: Grant): string {
  return JSON.stringify(body);
}
