import { baseURL, expectText, Lacking, packages, report } from '../report.mjs';
import { addition, apiKey, expectPlace, model, place, prompts, tasksInText } from './tasks.mjs';

const [provider, sdk] = packages;
const { createOpenAI } = await import(provider);
const { generateObject, generateText, jsonSchema, streamText, tool } = await import(sdk);
const openai = createOpenAI({ apiKey, baseURL });
const settings = { model: openai.responses(model), maxRetries: 0 };
const said = (content) => ({ role: 'user', content });
const generate = (messages, more = {}) => generateText({ ...settings, messages, ...more });
const messagesOf = (result) => result.responseMessages ?? result.response.messages;

async function answer(prompt, approved) {
  const asked = await generate([said(prompt)]).catch(lacksApprovals);
  const request = asked.content.find(({ type }) => type === 'tool-approval-request');
  if (!request) lacksApprovals();
  const content = [
    { type: 'tool-approval-response', approvalId: request.approvalId, approved, providerExecuted: true },
  ];
  return (await generate([said(prompt), ...messagesOf(asked), { role: 'tool', content }])).text;
}

/** Version 2 knows neither calls nor questions of remote servers. */
function lacksApprovals(error) {
  if (provider.endsWith('-2')) throw unknownItems('items `mcp_approval_request` are unknown');
  throw error ?? new Error('no question arrives');
}

function unknownItems(what) {
  const source = { file: 'dist/index.mjs', code: 'var openaiResponsesResponseSchema' };
  return new Lacking(what, { package: provider, ...source });
}

/** One conversation, whose history the client holds. */
function conversation() {
  const messages = [];
  return async (text) => {
    const result = await generate([...messages, said(text)]);
    messages.push(said(text), ...messagesOf(result));
    return result.text;
  };
}

await report({
  text: async () => expectText((await generate([said(prompts.text)])).text, 'Hello.'),
  stream: async () => expectText(await streamText({ ...settings, prompt: prompts.stream }).text, 'Hello.'),
  async serverTool() {
    const { text } = await generate([said(prompts.serverTool)]).catch((error) => {
      throw provider.endsWith('-2') ? unknownItems('items `mcp_call` are unknown') : error;
    });
    expectText(text, 'It is sunny.');
  },
  approve: async () => expectText(await answer(prompts.approve, true), 'Paid.'),
  deny: async () => expectText(await answer(prompts.deny, false), 'Not paid.'),
  async continue() {
    const [one, other] = prompts.continue;
    const first = await generate([said(one)]);
    expectText((await generate([said(one), ...messagesOf(first), said(other)])).text, 'Ada.');
  },
  async clientTool() {
    const add = tool({ inputSchema: jsonSchema(addition) });
    const messages = [said(prompts.clientTool)];
    const asked = await generate(messages, { tools: { add } });
    const [call] = asked.toolCalls;
    if (!call) throw new Error(`no call arrives, but "${asked.text}"`);
    const { a, b } = call.input;
    const { toolCallId, toolName } = call;
    const output = { type: 'text', value: String(a + b) };
    const content = [{ type: 'tool-result', toolCallId, toolName, output }];
    messages.push(...messagesOf(asked), { role: 'tool', content });
    expectText((await generate(messages, { tools: { add } })).text, 'It is 9.');
  },
  async structured() {
    const { object } = await generateObject({
      ...settings,
      schema: jsonSchema(place),
      prompt: prompts.structured,
    });
    expectPlace(object);
  },
  ...(provider.endsWith('-2') && tasksInText(conversation)),
});
