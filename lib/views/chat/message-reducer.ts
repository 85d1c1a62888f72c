import type { ProviderMetadata, UIMessage, UIMessageChunk } from 'ai';
import { isRecord } from '../../protocol/index.ts';

type Part = UIMessage['parts'][number];
type ToolPart = Record<string, unknown> & { toolCallId: string; approval?: Record<string, unknown> };

/**
 * Reduces the chunks that this library emits to a message's parts, in place and synchronously: the result
 * is that of `ai`'s own client, at a cost that suits whole chats. Tests compare the two.
 */
export function createMessageReducer(message: UIMessage): (chunk: UIMessageChunk) => void {
  const parts: unknown[] = message.parts;
  const prose = new Map<string, { text: string; state: string }>();
  const tools = new Map<string, ToolPart>();
  const byApproval = new Map<string, ToolPart>();

  function settle(toolCallId: string, change: Record<string, unknown>): void {
    const part = tools.get(toolCallId);
    if (!part) return;
    const { providerExecuted, toolMetadata, ...rest } = change;
    // A later outcome replaces an earlier one, as in `ai`'s reader.
    delete part.output;
    delete part.errorText;
    Object.assign(part, rest);
    if (providerExecuted !== undefined) part.providerExecuted = providerExecuted;
    if (toolMetadata !== undefined) part.toolMetadata = toolMetadata;
  }

  function addTool(
    chunk: Extract<UIMessageChunk, { type: 'tool-input-start' | 'tool-input-error' }>,
  ): ToolPart {
    const { toolCallId, toolName, dynamic, title, providerExecuted } = chunk;
    const part: ToolPart = {
      ...(dynamic ? { type: 'dynamic-tool', toolName } : { type: `tool-${toolName}` }),
      toolCallId,
      state: 'input-streaming',
      ...(title === undefined ? {} : { title }),
      ...(providerExecuted === undefined ? {} : { providerExecuted }),
    };
    tools.set(toolCallId, part);
    parts.push(part);
    return part;
  }

  return (chunk) => {
    switch (chunk.type) {
      case 'start':
      case 'finish':
        if (isRecord(chunk.messageMetadata)) {
          message.metadata = mergedMetadata(message.metadata, chunk.messageMetadata);
        }
        return;
      case 'start-step':
        parts.push({ type: 'step-start' } satisfies Part);
        return;
      case 'reset-step': {
        const mark = message.parts.findLastIndex((part) => part.type === 'step-start');
        parts.length = mark + 1;
        return;
      }
      case 'text-start':
      case 'reasoning-start': {
        const part =
          chunk.type === 'text-start'
            ? { type: 'text', text: '', state: 'streaming', ...metadataOf(chunk) }
            : { type: 'reasoning', id: chunk.id, text: '', state: 'streaming', ...metadataOf(chunk) };
        prose.set(chunk.id, part);
        parts.push(part);
        return;
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const part = prose.get(chunk.id);
        if (part) part.text += chunk.delta;
        return;
      }
      case 'text-end':
      case 'reasoning-end': {
        const part = prose.get(chunk.id);
        if (part) part.state = 'done';
        prose.delete(chunk.id);
        return;
      }
      case 'source-url':
      case 'source-document':
      case 'file':
      case 'reasoning-file':
        parts.push({ ...chunk });
        return;
      case 'tool-input-start':
        addTool(chunk);
        return;
      case 'tool-input-available':
        settle(chunk.toolCallId, { state: 'input-available', input: chunk.input });
        keepMetadata(tools.get(chunk.toolCallId), 'callProviderMetadata', chunk);
        return;
      case 'tool-input-error': {
        const { input, errorText } = chunk;
        const part = Object.assign(addTool(chunk), { state: 'output-error', input, errorText });
        keepMetadata(part, 'resultProviderMetadata', chunk);
        return;
      }
      case 'tool-approval-request': {
        const { approvalId, approvalDescriptor, reason, isAutomatic } = chunk;
        const part = tools.get(chunk.toolCallId);
        if (!part) return;
        part.state = 'approval-requested';
        part.approval = {
          id: approvalId,
          ...(approvalDescriptor === undefined ? {} : { descriptor: approvalDescriptor }),
          ...(reason === undefined ? {} : { requestReason: reason }),
          ...(isAutomatic ? { isAutomatic } : {}),
        };
        byApproval.set(approvalId, part);
        return;
      }
      case 'tool-approval-response': {
        const part = byApproval.get(chunk.approvalId);
        if (!part) return;
        part.state = 'approval-responded';
        part.approval = {
          ...part.approval,
          approved: chunk.approved,
          ...(chunk.reason === undefined ? {} : { reason: chunk.reason }),
        };
        keepMetadata(part, 'callProviderMetadata', chunk);
        return;
      }
      case 'tool-output-available': {
        const { toolCallId, output, providerExecuted, toolMetadata } = chunk;
        settle(toolCallId, { state: 'output-available', output, providerExecuted, toolMetadata });
        return;
      }
      case 'tool-output-error': {
        const { toolCallId, errorText, providerExecuted, toolMetadata } = chunk;
        settle(toolCallId, { state: 'output-error', errorText, providerExecuted, toolMetadata });
        return;
      }
      case 'tool-output-denied':
        settle(chunk.toolCallId, { state: 'output-denied' });
        return;
      default:
    }
  };
}

/** As the SDK merges it: objects field by field, everything else is replaced. */
function mergedMetadata(known: unknown, added: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const merged: Record<string, unknown> = isRecord(known) ? { ...known } : {};
  for (const [name, value] of Object.entries(added)) {
    if (name === '__proto__' || name === 'constructor' || name === 'prototype') continue;
    const before = merged[name];
    merged[name] = isRecord(value) && isRecord(before) ? mergedMetadata(before, value) : value;
  }
  return merged;
}

type WithMetadata = { readonly providerMetadata?: ProviderMetadata };

function metadataOf({ providerMetadata }: WithMetadata): WithMetadata {
  return providerMetadata === undefined ? {} : { providerMetadata };
}

/** The SDK keeps the metadata of a call and of its outcome apart. The last of each counts. */
function keepMetadata(
  part: ToolPart | undefined,
  name: 'callProviderMetadata' | 'resultProviderMetadata',
  { providerMetadata }: WithMetadata,
): void {
  if (part && providerMetadata !== undefined) part[name] = providerMetadata;
}
