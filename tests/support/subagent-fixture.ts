import { type ToolSet, tool } from 'ai';
import { type AgentSettings, subagent } from 'countersign';
import { type Script, scriptedModel } from 'countersign/testing';
import { z } from 'zod';
import { type FixtureSettings, flowFixture } from './flow-fixture.ts';

export const task = z.object({ task: z.string() });
export const bill = z.object({ to: z.string(), amount: z.number() });

/** The tools of a subagent: `pay` is gated, and `look` is not. */
export function agentTools() {
  const ran: { tool: string; input: unknown; principal: unknown }[] = [];
  const run = (name: string) => (input: object, options: { context: unknown }) => {
    const { principal } = options.context as { principal: { id: string } };
    ran.push({ tool: name, input, principal: principal.id });
    return `${name} done`;
  };
  const tools: ToolSet = {
    pay: tool({ inputSchema: bill, needsApproval: true, execute: async (...given) => run('pay')(...given) }),
    look: tool({ inputSchema: z.object({}), execute: async (...given) => run('look')(...given) }),
  };
  return { tools, ran };
}

/** A tool `research` that is a subagent with its own scripted model. */
export function researchTool(script: Script, agent: Partial<AgentSettings> = {}) {
  const { tools, ran } = agentTools();
  const model = scriptedModel(script);
  const research = subagent(
    { model, tools, instructions: 'You research.', ...agent },
    { description: 'Researches.', inputSchema: task, prompt: (input) => `Task: ${input.task}` },
  );
  return { tools: { research } as ToolSet, ran, model };
}

/** A flow with this tool. */
export function subagentFixture(
  script: Script,
  agentScript: Script,
  { agent, tools, ...settings }: FixtureSettings & { agent?: Partial<AgentSettings> } = {},
) {
  const own = researchTool(agentScript, agent);
  const fixture = flowFixture(script, { tools: { ...own.tools, ...tools }, ...settings });
  return { ...fixture, agentModel: own.model, agentRan: own.ran };
}

export const research = (id: string, text = 'find') => ({ call: 'research', id, input: { task: text } });
export const pay = (id: string, amount = 5) => ({ call: 'pay', id, input: { to: 'alice', amount } });
