import { baseURL, expectText, packages, report } from '../report.mjs';
import { addition, apiKey, expectPlace, model, place, prompts } from './tasks.mjs';

const [name] = packages;
const { default: OpenAI } = await import(name);
const openai = new OpenAI({ apiKey, baseURL, maxRetries: 0 });
const create = (body) => openai.responses.create({ model, ...body });

async function answer(input, approve) {
  const asked = await create({ input });
  const { id } = asked.output.find(({ type }) => type === 'mcp_approval_request');
  const answered = [{ type: 'mcp_approval_response', approval_request_id: id, approve }];
  return (await create({ previous_response_id: asked.id, input: answered })).output_text;
}

await report({
  text: async () => expectText((await create({ input: prompts.text })).output_text, 'Hello.'),
  async stream() {
    let text = '';
    for await (const event of await create({ input: prompts.stream, stream: true })) {
      if (event.type === 'response.output_text.delta') text += event.delta;
    }
    expectText(text, 'Hello.');
  },
  serverTool: async () =>
    expectText((await create({ input: prompts.serverTool })).output_text, 'It is sunny.'),
  approve: async () => expectText(await answer(prompts.approve, true), 'Paid.'),
  deny: async () => expectText(await answer(prompts.deny, false), 'Not paid.'),
  async continue() {
    const [one, other] = prompts.continue;
    const { id } = await create({ input: one });
    expectText((await create({ previous_response_id: id, input: other })).output_text, 'Ada.');
  },
  async clientTool() {
    const tools = [{ type: 'function', name: 'add', parameters: addition, strict: true }];
    const asked = await create({ input: prompts.clientTool, tools });
    const call = asked.output.find(({ type }) => type === 'function_call');
    if (!call) throw new Error(`no call arrives, but "${asked.output_text}"`);
    const { a, b } = JSON.parse(call.arguments);
    const input = [{ type: 'function_call_output', call_id: call.call_id, output: String(a + b) }];
    expectText((await create({ previous_response_id: asked.id, input, tools })).output_text, 'It is 9.');
  },
  async structured() {
    const text = { format: { type: 'json_schema', name: 'place', schema: place, strict: true } };
    expectPlace(JSON.parse((await create({ input: prompts.structured, text })).output_text));
  },
});
