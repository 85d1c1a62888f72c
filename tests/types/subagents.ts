import { type LanguageModel, ToolLoopAgent, tool } from 'ai';
import { subagent } from 'countersign';
import { z } from 'zod';

declare const model: LanguageModel;
const pay = tool({ inputSchema: z.object({ amount: z.number() }), execute: async () => 'Paid.' });
const options = {
  description: 'Pays.',
  inputSchema: z.object({ task: z.string() }),
  prompt: ({ task }: { task: string }) => task,
};

subagent(
  {
    model,
    tools: { pay },
    toolApproval: { pay: ({ amount }) => (amount > 5 ? 'user-approval' : 'approved') },
  },
  options,
);
subagent(
  { model, tools: { pay }, toolDetails: { pay: { describe: ({ amount }) => `Pay ${amount}.` } } },
  options,
);

// @ts-expect-error A gate of a tool that does not exist.
subagent({ model, tools: { pay }, toolApproval: { pya: 'user-approval' } }, options);
// @ts-expect-error The tool's input has no such field.
subagent({ model, tools: { pay }, toolDetails: { pay: { describe: ({ sum }) => `Pay ${sum}.` } } }, options);
// @ts-expect-error Subagents have no `prepareStep`.
subagent({ model, tools: { pay }, prepareStep: () => ({}) }, options);
// @ts-expect-error The prompt is made from the input.
subagent({ model, tools: { pay } }, { ...options, prompt: ({ what }: { what: string }) => what });
// @ts-expect-error An agent, and not its settings.
subagent(new ToolLoopAgent({ model, tools: { pay } }), options);
