import { type ToolExecutionOptions, type ToolSet, tool } from 'ai';
import type { CallAnswer, CallContext, FlowSettings } from 'countersign';
import type { Script } from 'countersign/testing';
import { z } from 'zod';
import { flowFixture } from './flow-fixture.ts';

const nights = z.object({ nights: z.number().int() });

/** A tool `book`, ungated, which asks for the number of nights while it runs. */
export function bookTool() {
  const answers: CallAnswer<z.infer<typeof nights>>[] = [];
  const begun: string[] = [];
  const book = tool({
    inputSchema: z.object({ hotel: z.string() }),
    execute: async ({ hotel }, { context }: ToolExecutionOptions<CallContext>) => {
      begun.push(hotel);
      const answer = await context.ask({ message: `How many nights at ${hotel}?`, schema: nights });
      answers.push(answer);
      return answer.action === 'accept' ? `${answer.content.nights} nights at ${hotel}` : answer.action;
    },
  });
  const toolDetails = { book: { mayAsk: true } } as FlowSettings['toolDetails'];
  return { tools: { book } as ToolSet, toolDetails, answers, begun };
}

/** A flow with this tool. */
export function askingFixture(script: Script, settings: Partial<FlowSettings> = {}) {
  const { tools, answers, begun, toolDetails } = bookTool();
  const fixture = flowFixture(script, {
    ...settings,
    tools: { ...tools, ...settings.tools },
    toolDetails: { ...toolDetails, ...settings.toolDetails },
  });
  return { ...fixture, answers, begun };
}

export const book = (id: string, hotel = 'Ritz') => ({ call: 'book', id, input: { hotel } });
export const done = [{ text: 'Done.' }];
