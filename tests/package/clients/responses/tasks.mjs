import { expectText } from '../report.mjs';

/** Any key: the gateway's user. */
export const apiKey = 'ada';

export const model = 'gpt-4.1';

/** What each client is asked to do, by the name of the column. */
export const prompts = {
  text: 'Say hello.',
  stream: 'Say hello.',
  serverTool: 'What is the weather in Oslo?',
  approve: 'Pay Alice 30.',
  deny: 'Pay Bob 40.',
  continue: ['My name is Ada.', 'How many messages?'],
  clientTool: 'Add 5 and 4.',
  structured: 'Where is Oslo? As JSON.',
};

/** The JSON Schema of the client's own tool. */
export const addition = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
  additionalProperties: false,
};

/** The JSON Schema of the structured answer. */
export const place = {
  type: 'object',
  properties: { city: { type: 'string' }, country: { type: 'string' } },
  required: ['city', 'country'],
  additionalProperties: false,
};

/** Fails a task unless the client got the structured answer. */
export function expectPlace(value) {
  expectText(JSON.stringify(value), '{"city":"Oslo","country":"Norway"}');
}
