import { expect, it } from 'vitest';
import {
  type FlowEvent,
  type JsonValue,
  type ModelOutput,
  parseToolCallId,
  type RunId,
} from '../../lib/protocol/index.ts';
import { eventBody } from '../../lib/stores/row-text.ts';
import { toEvent } from '../../lib/stores/rows.ts';

const rows = [{ track: 1 }, { track: 2 }];

it.each<[string, JsonValue, ModelOutput, string | undefined]>([
  ['a copy of it for the model', rows, { type: 'json', value: [...rows] }, undefined],
  [
    'the same value for the model',
    rows,
    { type: 'json', value: rows },
    '"modelOutput":{"type":"json"},"summary"',
  ],
  ['a text for the model', 'ok', { type: 'text', value: 'ok' }, '"modelOutput":{"type":"text"},"summary"'],
  ['null for the model', null, { type: 'json', value: null }, '"modelOutput":{"type":"json"},"summary"'],
  ['nothing for the model', rows, { type: 'json' } as ModelOutput, '"modelOutput":{"type":"json"},"summary"'],
  [
    'options of a provider',
    'ok',
    { type: 'text', providerOptions: { acme: { cache: true } }, value: 'ok' },
    '"modelOutput":{"type":"text","providerOptions":{"acme":{"cache":true}}}',
  ],
  ['a summary for the model', rows, { type: 'text', value: '2 rows' }, undefined],
  ['a denial for the model', rows, { type: 'execution-denied', reason: 'No.' }, undefined],
  ['an error for the model', null, { type: 'error-text', value: 'Too long.' }, undefined],
])('stores and returns a result with %s', (_, output, modelOutput, written) => {
  const head = { seq: 3, at: 1_700_000_000_000, runId: 'run_1' as RunId };
  const event: FlowEvent = {
    ...head,
    type: 'tool-completed',
    toolCallId: parseToolCallId('call-1'),
    output,
    modelOutput,
    summary: 'Done.',
    resultCount: 1,
  };
  const body = eventBody(event);
  expect(body).toContain(written ?? `"modelOutput":${JSON.stringify(modelOutput)}`);
  expect(toEvent({ seq: head.seq, at: head.at, run: head.runId, body })).toEqual(event);
});
