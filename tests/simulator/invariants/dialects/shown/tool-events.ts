import { z } from 'zod';
import {
  type ToolInvocations,
  toolInvocationsOf,
} from '../../../../../lib/plugins/tool-events/client/reducer.ts';
import {
  type StoredConversation,
  storedConversationSchema,
  type ToolEvent,
  toolEventSchema,
} from '../../../../../lib/plugins/tool-events/client/schema.ts';
import {
  emptyToolEventsClientState,
  reduceToolEventsClient,
} from '../../../../../lib/plugins/tool-events/client/state.ts';
import { isRecord } from '../../../../../lib/protocol/index.ts';
import type { DialectReading } from '../../../dialects/reading.ts';
import type { DialectRules, Shown } from './shown.ts';

/** What clients of the tool events get. */
export const toolEvents: DialectRules = {
  schema: z.union([toolEventSchema, storedConversationSchema]),
  shownBy({ frames, messageId }: DialectReading): Shown {
    const [first] = frames;
    if (first && isRecord(first.data) && 'messages' in first.data) {
      return storedShown(first.data as StoredConversation, messageId);
    }
    const state = frames
      .map(({ data }) => data as ToolEvent)
      // The error of a connection: the client reconnects.
      .filter((event) => event.type !== 'error' || event.code !== 'INTERNAL_ERROR')
      .reduce(reduceToolEventsClient, emptyToolEventsClientState);
    const text = state.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
    return { text, calls: invocationsShown(state.invocations) };
  },
};

const states = { completed: 'done', failed: 'ended', executing: 'open' } as const;

function storedShown({ messages, run }: StoredConversation, messageId: string): Shown {
  const content = messages.find(({ id }) => id === messageId)?.content ?? [];
  const isRunning = run?.status === 'active';
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  return { text, calls: invocationsShown(toolInvocationsOf(content, isRunning)) };
}

function invocationsShown(invocations: ToolInvocations): Shown['calls'] {
  return new Map(
    [...invocations.values()].map(({ toolCallId, status }) => [toolCallId, states[status]] as const),
  );
}
