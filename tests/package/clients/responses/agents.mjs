import { baseURL, expectText, Lacking, packages, report } from '../report.mjs';
import { apiKey, expectPlace, model, prompts } from './tasks.mjs';

const [name, openaiName, zodName] = packages;
const { Agent, hostedMcpTool, run, setDefaultOpenAIClient, setTracingDisabled, tool } = await import(name);
const { default: OpenAI } = await import(openaiName);
const { z } = await import(zodName);
setTracingDisabled(true);
setDefaultOpenAIClient(new OpenAI({ apiKey, baseURL, maxRetries: 0 }));
const agentOf = (more = {}) => new Agent({ name: 'Assistant', model, ...more });

/** The gateway needs no such tool, but the client asks nobody without one of the same label. */
const label = hostedMcpTool({
  serverLabel: 'countersign',
  serverUrl: 'https://example.com',
  requireApproval: 'always',
});

async function answer(prompt, approved, tools) {
  const agent = agentOf({ tools });
  const asked = await run(agent, prompt).catch((error) => {
    if (!/MCP server .* not found/.test(error.message)) throw error;
    const source = { file: 'dist/runner/modelOutputs.mjs', code: "typeof mcpServerTool === 'undefined'" };
    throw new Lacking('a hosted tool with the label is required', { package: `${name}-core`, ...source });
  });
  const [question] = asked.interruptions;
  if (!question) throw new Error('no question arrives');
  if (approved) asked.state.approve(question);
  else asked.state.reject(question);
  return (await run(agent, asked.state)).finalOutput;
}

await report({
  text: async () => expectText((await run(agentOf(), prompts.text)).finalOutput, 'Hello.'),
  async stream() {
    const stream = await run(agentOf(), prompts.stream, { stream: true });
    let text = '';
    for await (const piece of stream.toTextStream()) text += piece;
    await stream.completed;
    expectText(text, 'Hello.');
  },
  serverTool: async () => expectText((await run(agentOf(), prompts.serverTool)).finalOutput, 'It is sunny.'),
  approve: async () => expectText(await answer(prompts.approve, true, [label]), 'Paid.'),
  deny: async () => expectText(await answer(prompts.deny, false, [label]), 'Not paid.'),
  approveWithoutTool: async () => expectText(await answer(prompts.approve, true, []), 'Paid.'),
  async continue() {
    const [one, other] = prompts.continue;
    const first = await run(agentOf(), one);
    const { finalOutput } = await run(agentOf(), other, { previousResponseId: first.lastResponseId });
    expectText(finalOutput, 'Ada.');
  },
  async clientTool() {
    const add = tool({
      name: 'add',
      description: 'Adds.',
      parameters: z.object({ a: z.number(), b: z.number() }),
      execute: async ({ a, b }) => String(a + b),
    });
    expectText((await run(agentOf({ tools: [add] }), prompts.clientTool)).finalOutput, 'It is 9.');
  },
  async structured() {
    const outputType = z.object({ city: z.string(), country: z.string() });
    expectPlace((await run(agentOf({ outputType }), prompts.structured)).finalOutput);
  },
});
