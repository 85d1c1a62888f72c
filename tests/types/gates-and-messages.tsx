import { tool, type UIMessage } from 'ai';
import { createApprovalFlow } from 'countersign';
import { useApprovalChat } from 'countersign/react';
import { createSseTransport, sendAutomaticallyWhen } from 'countersign/sse';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { z } from 'zod';

/** The compiler knows the tools of a gate, and the metadata and data parts of a page's messages. */
const store = sqliteStore({ path: ':memory:' });
const model = scriptedModel([]);
const tools = {
  pay: tool({ inputSchema: z.object({ to: z.string(), amount: z.number() }), execute: async () => 'paid' }),
  search: tool({ inputSchema: z.object({ query: z.string() }), execute: async ({ query }) => [query] }),
};

export const gatesByTool = () =>
  createApprovalFlow({
    store,
    model,
    tools,
    toolApproval: {
      pay: ({ amount }) => (amount > 10 ? 'user-approval' : 'approved'),
      search: 'not-applicable',
    },
  });

export const gateOfAnotherTool = () =>
  // @ts-expect-error there is no such tool
  createApprovalFlow({ store, model, tools, toolApproval: { refund: 'user-approval' } });

export const gateOfAnotherField = () =>
  createApprovalFlow({
    store,
    model,
    tools,
    // @ts-expect-error the input has no `total`
    toolApproval: { pay: ({ total }) => (total > 10 ? 'user-approval' : 'approved') },
  });

export const misspeltDecision = () =>
  // @ts-expect-error there is no such decision
  createApprovalFlow({ store, model, tools, toolApproval: { pay: 'user-aproval' } });

export const gateOfAllTools = () =>
  createApprovalFlow({
    store,
    model,
    tools,
    toolApproval: ({ toolCall }) => {
      if (toolCall.dynamic) return 'denied';
      // @ts-expect-error no tool has this name
      if (toolCall.toolName === 'refund') return 'denied';
      return toolCall.toolName === 'pay' && toolCall.input.amount > 10 ? 'user-approval' : undefined;
    },
  });

export const metadataOfMessages = () =>
  createApprovalFlow({
    store,
    model,
    tools,
    messageMetadata: ({ part }) =>
      part.type === 'finish' ? { tokens: part.totalUsage.totalTokens } : undefined,
  });

export const metadataOfAnotherPart = () =>
  createApprovalFlow({
    store,
    model,
    tools,
    // @ts-expect-error there is no such part
    messageMetadata: ({ part }) => (part.type === 'end' ? {} : undefined),
  });

type OwnMessage = UIMessage<{ tokens?: number }, { progress: { percent: number } }>;

export function TypedMessages() {
  const { messages } = useApprovalChat<OwnMessage>({
    transport: createSseTransport<OwnMessage>(),
    sendAutomaticallyWhen,
  });
  const [message] = messages;
  // @ts-expect-error the metadata has no `cost`
  const cost = message?.metadata?.cost;
  const percents = message?.parts.map((part) => {
    // @ts-expect-error there is no such data part
    if (part.type === 'data-chart') return null;
    return part.type === 'data-progress' ? part.data.percent.toFixed(1) : '';
  });
  return <p title={message?.metadata?.tokens?.toFixed()}>{[cost, percents]}</p>;
}
