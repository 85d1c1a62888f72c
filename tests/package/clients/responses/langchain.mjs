import { baseURL, expectText, packages, report } from '../report.mjs';
import { addition, apiKey, expectPlace, model, place, prompts } from './tasks.mjs';

const [name, coreName] = packages;
const { ChatOpenAI } = await import(name);
const { HumanMessage, ToolMessage } = await import(`${coreName}/messages`);
const configuration = { baseURL };
const chat = new ChatOpenAI({ model, apiKey, configuration, useResponsesApi: true, maxRetries: 0 });

async function answer(prompt, approve) {
  const asked = await chat.invoke(prompt);
  const request = asked.additional_kwargs.tool_outputs?.find(({ type }) => type === 'mcp_approval_request');
  if (!request) throw new Error('no question arrives');
  const content = [{ type: 'mcp_approval_response', approval_request_id: request.id, approve }];
  const options = { previous_response_id: asked.response_metadata.id };
  return (await chat.invoke([new HumanMessage({ content })], options)).text;
}

await report({
  text: async () => expectText((await chat.invoke(prompts.text)).text, 'Hello.'),
  async stream() {
    let text = '';
    for await (const chunk of await chat.stream(prompts.stream)) text += chunk.text;
    expectText(text, 'Hello.');
  },
  serverTool: async () => expectText((await chat.invoke(prompts.serverTool)).text, 'It is sunny.'),
  approve: async () => expectText(await answer(prompts.approve, true), 'Paid.'),
  deny: async () => expectText(await answer(prompts.deny, false), 'Not paid.'),
  async continue() {
    const [one, other] = prompts.continue;
    const first = await chat.invoke(one);
    expectText((await chat.invoke([new HumanMessage(one), first, new HumanMessage(other)])).text, 'Ada.');
  },
  async clientTool() {
    const add = { type: 'function', function: { name: 'add', parameters: addition } };
    const bound = chat.bindTools([add]);
    const messages = [new HumanMessage(prompts.clientTool)];
    const asked = await bound.invoke(messages);
    const [call] = asked.tool_calls ?? [];
    if (!call) throw new Error(`no call arrives, but "${asked.text}"`);
    const content = String(call.args.a + call.args.b);
    messages.push(asked, new ToolMessage({ content, tool_call_id: call.id }));
    expectText((await bound.invoke(messages)).text, 'It is 9.');
  },
  async structured() {
    const structured = chat.withStructuredOutput({ title: 'place', ...place }, { method: 'jsonSchema' });
    expectPlace(await structured.invoke(prompts.structured));
  },
});
