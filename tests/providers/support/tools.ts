import { type ToolResultPart, type ToolSet, tool } from 'ai';
import type { FlowSettings } from 'countersign';
import { z } from 'zod';

type Content = Extract<ToolResultPart['output'], { type: 'content' }>;

/** One pixel. */
const picture: Content['value'][number] = {
  type: 'file',
  mediaType: 'image/png',
  data: {
    type: 'data',
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  },
};

const textPart = (text: string) => ({ type: 'text' as const, text });
const contentOf = (...value: Content['value']): Content => ({ type: 'content', value });

/** What the tools of a scene do, and what they did. */
export type SceneTools = {
  readonly ran: string[];
  /** Whether `slow` ends. */
  slow: 'ends' | 'never ends';
  /** Resolves when `slow` runs. */
  readonly running: Promise<void>;
  readonly settings: Pick<FlowSettings, 'tools' | 'toolDetails' | 'mayChange'>;
};

/**
 * The tools of the scenes. `pay`, `lend`, `photo`, `slow` and `refund` ask, the others run at once. `lend` offers options, and `refund` needs two of the approvers.
 */
export function sceneTools(): SceneTools {
  const ran: string[] = [];
  const payment = z.object({ to: z.string(), amount: z.number() });
  const running = Promise.withResolvers<void>();
  const scene: SceneTools = {
    ran,
    slow: 'ends',
    running: running.promise,
    settings: {
      mayChange: () => true,
      toolDetails: {
        lend: {
          options: [
            { id: 'half', label: 'Half', then: 'approve', input: halved },
            { id: 'later', label: 'Later', then: 'deny', reason: 'Ask again next month.' },
          ],
        },
        refund: { approvers: ({ role }: { role?: unknown }) => role === 'approver', votes: { count: 2 } },
      } as never,
      tools: {
        weather: tool({
          inputSchema: z.object({ city: z.string() }),
          execute: ({ city }) => {
            ran.push(`weather ${city}`);
            return `Sunny in ${city}`;
          },
        }),
        slow: tool({
          inputSchema: z.object({}),
          needsApproval: true,
          execute: async () => {
            ran.push('slow');
            running.resolve();
            if (scene.slow === 'never ends') await new Promise(() => {});
            return 'Done slowly.';
          },
        }),
        pay: tool({
          inputSchema: payment,
          needsApproval: true,
          execute: ({ to, amount }) => {
            ran.push(`pay ${to} ${amount}`);
            return { paid: amount };
          },
        }),
        lend: tool({
          inputSchema: payment,
          needsApproval: true,
          execute: ({ to, amount }) => {
            ran.push(`lend ${to} ${amount}`);
            return 'Lent.';
          },
        }),
        photo: tool({
          inputSchema: z.object({}),
          needsApproval: true,
          execute: () => {
            ran.push('photo');
            return {};
          },
          toModelOutput: () => contentOf(textPart('The front.'), textPart('The back.'), picture),
        }),
        picture: tool({
          inputSchema: z.object({}),
          execute: () => {
            ran.push('picture');
            return {};
          },
          toModelOutput: () => contentOf(picture),
        }),
        blank: tool({
          inputSchema: z.object({}),
          execute: () => {
            ran.push('blank');
            return {};
          },
          toModelOutput: () => contentOf(textPart(' ')),
        }),
        nothing: tool({
          inputSchema: z.object({}),
          execute: () => {
            ran.push('nothing');
            return {};
          },
          toModelOutput: () => contentOf(),
        }),
        failing: tool({
          inputSchema: z.object({}),
          execute: (): string => {
            ran.push('failing');
            throw new Error('');
          },
        }),
        reserved: tool({
          inputSchema: z.object({}),
          execute: () => {
            ran.push('reserved');
            return JSON.parse('{"__proto__": {"a": 1}, "constructor": {"prototype": 2}, "b": 3}');
          },
        }),
        refund: tool({
          inputSchema: payment,
          needsApproval: true,
          execute: ({ to, amount }) => {
            ran.push(`refund ${to} ${amount}`);
            return 'Refunded.';
          },
        }),
      } as ToolSet,
    },
  };
  return scene;
}

function halved(input: unknown): unknown {
  const { to, amount } = input as { to: string; amount: number };
  return { to, amount: amount / 2 };
}
