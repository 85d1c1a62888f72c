import type { ProviderMetadata, UIMessageChunk } from 'ai';

type ToolPart = Record<string, unknown> & { toolCallId: string; approval?: Record<string, unknown> };
type CallStart = ChunkOf<'tool-input-start' | 'tool-input-error'>;
type ChunkOf<Type extends UIMessageChunk['type']> = Extract<UIMessageChunk, { type: Type }>;

/** Reduces the chunks of tool calls to parts, which it adds to the list. Ignores other chunks. */
export function createToolParts(parts: unknown[]): (chunk: UIMessageChunk) => void {
  const tools = new Map<string, ToolPart>();
  const byApproval = new Map<string, ToolPart>();

  function add(chunk: CallStart): ToolPart {
    const part = startOf(chunk);
    tools.set(part.toolCallId, part);
    parts.push(part);
    return part;
  }

  function change(toolCallId: string, fields: Record<string, unknown>): void {
    const part = tools.get(toolCallId);
    if (!part) return;
    const { providerExecuted, toolMetadata, ...rest } = fields;
    // A later outcome replaces an earlier one, as in `ai`'s reader.
    delete part.output;
    delete part.errorText;
    Object.assign(part, rest);
    if (providerExecuted !== undefined) part.providerExecuted = providerExecuted;
    if (toolMetadata !== undefined) part.toolMetadata = toolMetadata;
  }

  function ask(chunk: ChunkOf<'tool-approval-request'>): void {
    const { approvalId, approvalDescriptor, reason, isAutomatic } = chunk;
    const part = tools.get(chunk.toolCallId);
    if (!part) return;
    part.state = 'approval-requested';
    part.approval = {
      id: approvalId,
      descriptor: approvalDescriptor,
      requestReason: reason,
      isAutomatic: isAutomatic || undefined,
    };
    byApproval.set(approvalId, part);
  }

  function answer(chunk: ChunkOf<'tool-approval-response'>): void {
    const { approvalId, approved, reason } = chunk;
    const part = byApproval.get(approvalId);
    if (!part) return;
    part.state = 'approval-responded';
    part.approval = { ...part.approval, approved, ...(reason === undefined ? {} : { reason }) };
    keepMetadata(part, 'callProviderMetadata', chunk);
  }

  return (chunk) => {
    switch (chunk.type) {
      case 'tool-input-start':
        add(chunk);
        return;
      case 'tool-input-available':
        change(chunk.toolCallId, { state: 'input-available', input: chunk.input });
        keepMetadata(tools.get(chunk.toolCallId), 'callProviderMetadata', chunk);
        return;
      case 'tool-input-error': {
        const { input, errorText } = chunk;
        const begun = tools.get(chunk.toolCallId);
        // A part that was begun becomes the error, unless its step was dropped.
        const part = begun && parts.includes(begun) ? begun : add(chunk);
        Object.assign(part, { state: 'output-error', input, errorText });
        keepMetadata(part, 'resultProviderMetadata', chunk);
        return;
      }
      case 'tool-approval-request':
        ask(chunk);
        return;
      case 'tool-approval-response':
        answer(chunk);
        return;
      case 'tool-output-available': {
        // The stored chat has outputs of calls that have ended.
        if (chunk.preliminary) return;
        const { toolCallId, output, providerExecuted, toolMetadata } = chunk;
        change(toolCallId, { state: 'output-available', output, providerExecuted, toolMetadata });
        return;
      }
      case 'tool-output-error': {
        const { toolCallId, errorText, providerExecuted, toolMetadata } = chunk;
        change(toolCallId, { state: 'output-error', errorText, providerExecuted, toolMetadata });
        return;
      }
      case 'tool-output-denied':
        change(chunk.toolCallId, { state: 'output-denied' });
        return;
      default:
    }
  };
}

/** The SDK keeps the metadata of a call and of its outcome apart. The last of each counts. */
function keepMetadata(
  part: ToolPart | undefined,
  name: 'callProviderMetadata' | 'resultProviderMetadata',
  { providerMetadata }: { readonly providerMetadata?: ProviderMetadata },
): void {
  if (part && providerMetadata !== undefined) part[name] = providerMetadata;
}

function startOf({ type, toolCallId, toolName, dynamic, title, providerExecuted }: CallStart): ToolPart {
  return {
    ...(dynamic ? { type: 'dynamic-tool', toolName } : { type: `tool-${toolName}` }),
    toolCallId,
    state: 'input-streaming',
    // As in `ai`'s reader, an error has no title.
    title: !(title === undefined || type === 'tool-input-error') ? title : undefined,
    providerExecuted,
  };
}
