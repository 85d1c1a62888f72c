import { baseURL, expectText, Lacking, packages, report } from '../report.mjs';
import { addition, apiKey, expectPlace, model, place, prompts } from './tasks.mjs';

const [name] = packages;
const { openaiResponses } = await import(name);
const llm = openaiResponses({ model, apiKey, baseURL, maxRetries: 0, store: true });
const said = (content) => ({ role: 'user', content });
const textOf = ({ message: { content } }) =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');

async function answer(prompt) {
  const { message } = await llm.chat({ messages: [said(prompt)] });
  if (JSON.stringify(message).includes('mcp_approval_request')) throw new Error('it has questions now');
  const source = { package: name, file: 'dist/index.js', code: 'isBuiltInToolCall(item) {' };
  throw new Lacking('items `mcp_approval_request` are dropped', source);
}

await report({
  text: async () => expectText(textOf(await llm.chat({ messages: [said(prompts.text)] })), 'Hello.'),
  async stream() {
    let text = '';
    let last;
    for await (const { raw, delta } of await llm.chat({ messages: [said(prompts.stream)], stream: true })) {
      if (raw?.type === 'response.output_text.delta') text += delta;
      last = raw?.type;
    }
    if (last !== 'response.completed') throw new Error(`the stream ends with ${last}`);
    expectText(text, 'Hello.');
  },
  serverTool: async () =>
    expectText(textOf(await llm.chat({ messages: [said(prompts.serverTool)] })), 'It is sunny.'),
  approve: () => answer(prompts.approve),
  deny: () => answer(prompts.deny),
  async continue() {
    const [one, other] = prompts.continue;
    const first = await llm.chat({ messages: [said(one)] });
    expectText(textOf(await llm.chat({ messages: [said(one), first.message, said(other)] })), 'Ada.');
  },
  async clientTool() {
    const add = { metadata: { name: 'add', description: 'Adds.', parameters: addition } };
    const messages = [said(prompts.clientTool)];
    const asked = await llm.chat({ messages, tools: [add] });
    const [call] = asked.message.options?.toolCall ?? [];
    if (!call) throw new Error(`no call arrives, but "${textOf(asked)}"`);
    const { a, b } = typeof call.input === 'string' ? JSON.parse(call.input) : call.input;
    const content = String(a + b);
    const toolResult = { id: call.id, result: content, isError: false };
    messages.push(asked.message, { role: 'user', content, options: { toolResult } });
    expectText(textOf(await llm.chat({ messages, tools: [add] })), 'It is 9.');
  },
  async structured() {
    const format = { type: 'json_schema', name: 'place', schema: place, strict: true };
    const responseFormat = { type: 'json_schema', json_schema: { name: 'place', schema: place } };
    const asked = { messages: [said(prompts.structured)], responseFormat };
    const additionalChatOptions = { text: { format } };
    expectPlace(JSON.parse(textOf(await llm.chat({ ...asked, additionalChatOptions }))));
  },
});
