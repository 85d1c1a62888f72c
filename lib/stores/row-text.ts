import type { FlowEvent, Question } from '../protocol/index.ts';

/** Text for a column: JSON escapes NUL and half surrogate pairs, which databases cannot store. */
export function exactText(text: string): string {
  return JSON.stringify(text);
}

/**
 * An event as JSON, without the fields that have their own columns. A result that the model gets unchanged is written once: a long one
 * would make each event of a call twice as long.
 */
export function eventBody({ seq: _seq, at: _at, runId: _runId, ...body }: FlowEvent): string {
  if (!('output' in body && 'modelOutput' in body && 'value' in body.modelOutput))
    return JSON.stringify(body);
  const { value, ...modelOutput } = body.modelOutput;
  return JSON.stringify(value === body.output ? { ...body, modelOutput, modelGetsOutput: true } : body);
}

/** The run of an event as its column stores it: an empty string for no run. */
export function runText({ runId }: Pick<FlowEvent, 'runId'>): string {
  return runId ?? '';
}

/** A question as JSON, without the fields that have their own columns. */
export function questionBody(question: Question): string {
  const { id: _id, chatId: _chat, ownerId: _owner, state: _state, requestedAt: _at, ...body } = question;
  return JSON.stringify(body);
}
