import type { AssistantContent, ModelMessage } from 'ai';
import type { ToolCallId } from '../../protocol/index.ts';
import { type Ids, idOf } from './call-ids.ts';
import type { StepContent } from './step-content.ts';

/** The SDK's response messages, with assigned ids, and without approval parts and tool messages. */
export function ownMessages(content: StepContent, ids: Ids): ModelMessage[] {
  const queue = [...content.toolCalls];
  const current = new Map<string, ToolCallId>();
  const asked = new Set(
    content.approvals.filter(({ toolCall }) => toolCall.providerExecuted).map((a) => a.approvalId),
  );
  return content.messages.flatMap((message): ModelMessage[] => {
    if (message.role !== 'assistant') return [];
    if (typeof message.content === 'string') return [message];
    const parts = message.content.flatMap((part): Exclude<AssistantContent, string> => {
      if (part.type === 'tool-call') {
        const next = queue.shift();
        const toolCallId = next ? idOf(ids, next).id : part.toolCallId;
        current.set(part.toolCallId, toolCallId as ToolCallId);
        return [{ ...part, toolCallId }];
      }
      if (part.type === 'tool-approval-request') {
        const toolCallId = current.get(part.toolCallId) ?? part.toolCallId;
        return asked.has(part.approvalId) ? [{ ...part, toolCallId }] : [];
      }
      if (part.type === 'tool-result') {
        return [{ ...part, toolCallId: current.get(part.toolCallId) ?? part.toolCallId }];
      }
      return [part];
    });
    return [{ ...message, content: parts }];
  });
}
