import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type ToolSet, tool } from 'ai';
import { z } from 'zod';

/**
 * The flow that the fixture was made by, but for its engine and store. The generating script runs it with the engine of
 * the older version, the tests with today's: change nothing here that a person who upgrades would not change.
 */

/** When the older version stopped. */
export const madeAt = Date.UTC(2026, 10, 1, 12);
export const auditKey = 'the audit key of the upgrade fixture';
export const leaseMs = 10_000;

export const ada = { id: 'ada', name: 'Ada' };
export const bob = { id: 'bob', name: 'Bob' };

const tenYears = 10 * 365 * 24 * 3_600_000;

/** Tools that record which of their calls ran, as `tool:toolCallId`. */
export function fixtureTools() {
  const ran: string[] = [];
  const payment = z.object({ to: z.string(), amount: z.number() });
  const note = (name: string) => ({
    description: `Notes a number (${name}).`,
    inputSchema: z.object({ n: z.number() }),
    needsApproval: true,
    execute: async ({ n }: { n: number }, { toolCallId }: { toolCallId: string }) => {
      ran.push(`${name}:${toolCallId}`);
      return `Noted ${n}.`;
    },
  });
  const paying = (name: string) => ({
    description: `Pays by ${name}.`,
    inputSchema: payment,
    needsApproval: true,
    execute: async (
      { to, amount }: { to: string; amount: number },
      { toolCallId }: { toolCallId: string },
    ) => {
      ran.push(`${name}:${toolCallId}`);
      if (to === 'nobody') throw new Error('The bank knows no such account.');
      return { paid: amount, to };
    },
  });
  const tools = {
    pay: tool(paying('pay')),
    charge: tool(paying('charge')),
    wire: tool(paying('wire')),
    book: tool(paying('book')),
    login: tool({
      description: 'Signs in.',
      inputSchema: z.object({ user: z.string(), password: z.string() }),
      needsApproval: true,
      execute: async ({ user, password }, { toolCallId }) => {
        ran.push(`login:${toolCallId}`);
        return { user, length: password.length };
      },
    }),
    note_in_chat: tool(note('note_in_chat')),
    note_in_chat_exactly: tool(note('note_in_chat_exactly')),
    note_anywhere: tool(note('note_anywhere')),
    note_anywhere_exactly: tool(note('note_anywhere_exactly')),
    weather: tool({
      description: 'Tells the weather.',
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }, { toolCallId }) => {
        ran.push(`weather:${toolCallId}`);
        return `Sunny in ${city}.`;
      },
    }),
    locate: tool({
      description: 'Asks the browser where it is.',
      inputSchema: z.object({}),
      outputSchema: z.object({ lat: z.number() }),
      needsApproval: true,
    }),
    theme: tool({ description: 'Reads the theme.', inputSchema: z.object({}), outputSchema: z.string() }),
  } satisfies ToolSet;
  return { tools: tools as ToolSet, ran };
}

/** @param notTheAsker of the version that runs it */
export function fixtureDetails<Rule>(notTheAsker: Rule) {
  const describe = ({ to, amount }: { to: string; amount: number }) => `Pay ${amount} to ${to}.`;
  return {
    pay: { describe, risk: 'high' as const },
    charge: { describe, idempotent: true },
    wire: { describe, approvers: notTheAsker },
    book: { describe, deadlineMs: tenYears },
    login: { secrets: { input: ['password'] } },
  };
}

/**
 * A model that follows instructions: `pay {"to":"alice","amount":30}; pay {…}` makes two calls in one step, and then
 * it says "Done."; any other text is repeated. The provider runs and asks about a call of `mcp.send_mail`.
 */
export function followOrders({ prompt }: LanguageModelV4CallOptions) {
  const turns = prompt.filter(({ role }) => role === 'user').length;
  const start = prompt.findLastIndex(({ role }) => role === 'user');
  const said = prompt[start]?.content;
  const text = (Array.isArray(said) ? said : [])
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');
  const orders = [...text.matchAll(/([\w.]+) (\{.*?\})/g)];
  if (orders.length === 0) return [{ text: `You said: ${text}` }];
  const isFirst = !prompt.slice(start).some(({ role }) => role === 'assistant');
  const parts = orders.map(([, name = '', json = '{}'], index) => {
    const id = `call-${turns}-${index}`;
    const input: unknown = JSON.parse(json);
    if (name !== 'mcp.send_mail') return { call: name, id, input };
    return isFirst
      ? { providerQuestion: name, id, approvalId: `vendor-${id}`, input }
      : { providerResult: id, tool: name, result: { sent: true } };
  });
  if (isFirst) return [{ text: 'I will see to it.' }, ...parts];
  // The provider reports on an approved call now, and skips a denied one.
  const isApproved = JSON.stringify(prompt.slice(start)).includes('"approved":true');
  return [...parts.filter((part) => isApproved && 'providerResult' in part), { text: 'Done.' }];
}
