import { baseURL, expectText } from '../report.mjs';

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
  continue: ['My name is Ada.', 'What is my name?'],
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

/** The question that a text says is waiting. @throws Error if it says nothing of one */
export function questionIn(text) {
  const [id] = /apr_[\w-]+/.exec(text) ?? [];
  if (!text.includes('Waiting for approval') || id === undefined) throw new Error(`it shows "${text}"`);
  return id;
}

/** Approves a question where the server's own pages do. */
export async function approveElsewhere(id) {
  const { origin } = new URL(baseURL);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  const body = JSON.stringify({ approved: true });
  const { ok, status } = await fetch(`${origin}/api/approvals/${id}`, { method: 'POST', headers, body });
  if (!ok) throw new Error(`the approval is refused (${status})`);
}

/** Sends a message when the approved call has ended. */
async function onceIdle(say, text) {
  for (;;) {
    try {
      return await say(text);
    } catch (error) {
      if (!error.message.includes('still answering')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/**
 * The tasks of a client that shows no questions.
 *
 * @param open begins a conversation, and returns a function that sends a message and resolves with the text that is shown
 */
export const tasksInText = (open) => ({
  async elsewhere() {
    const say = await open();
    await approveElsewhere(questionIn(await say(prompts.approve)));
    expectText(await onceIdle(say, 'Is it done?'), 'Paid.');
  },
  async repeat() {
    const say = await open();
    const id = questionIn(await say(prompts.approve));
    expectText(questionIn(await say('Are you there?')), id);
    await approveElsewhere(id);
    expectText(await onceIdle(say, 'Is it done?'), 'Paid.');
  },
});
