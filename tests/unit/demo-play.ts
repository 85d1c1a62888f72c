import type { ModelMessage, ToolSet } from 'ai';
import { isStepCount, streamText } from 'ai';
import { demoModel } from '../../app/_model/demo-model.ts';

/** Plays a request to its end with every tool run at once; a client tool ends the run, as it would in a browser. */
export async function play(messages: ModelMessage[] | string, tools: ToolSet) {
  const result = streamText({
    model: demoModel(),
    messages: typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages,
    tools: withKeys(tools),
    stopWhen: isStepCount(5),
  });
  const steps = await result.steps;
  return {
    steps,
    texts: steps.map(({ text }) => text),
    calls: steps.map((step) => step.toolCalls.map(({ toolName, input }) => [toolName, input])),
    messages: await result.responseMessages,
  };
}

/** The flow gives each call a key; the SDK alone does not. */
function withKeys(tools: ToolSet): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => {
      const { execute } = tool;
      if (!execute) return [name, tool];
      const keyed: typeof execute = (input, options) =>
        execute(input, { ...options, context: { idempotencyKey: `key of ${options.toolCallId}` } });
      return [name, { ...tool, execute: keyed }];
    }),
  );
}

type AnsweredCall = [toolName: string, input: unknown, output: ToolOutput];
type ToolOutput = Extract<
  Extract<ModelMessage, { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>['output'];

/** A turn in which the model has called and the calls have ended as given. */
export function answered(request: string, calls: AnsweredCall[]): ModelMessage[] {
  const named = calls.map(([toolName, input, output], index) => ({
    toolCallId: `answered-${index}`,
    toolName,
    input,
    output,
  }));
  return [
    { role: 'user', content: request },
    {
      role: 'assistant',
      content: named.map(({ toolCallId, toolName, input }) => ({
        type: 'tool-call',
        toolCallId,
        toolName,
        input,
      })),
    },
    {
      role: 'tool',
      content: named.map(({ toolCallId, toolName, output }) => ({
        type: 'tool-result',
        toolCallId,
        toolName,
        output,
      })),
    },
  ];
}
