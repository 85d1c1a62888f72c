import type { UIMessage, UIMessageChunk } from 'ai';
import { isRecord } from '../../protocol/index.ts';
import { createProseParts } from './prose-parts.ts';
import { createToolParts } from './tool-parts.ts';

type Part = UIMessage['parts'][number];

/** Reduces this library's chunks to parts as `ai`'s client does, at a cost that suits whole chats. */
export function createMessageReducer(message: UIMessage): (chunk: UIMessageChunk) => void {
  const parts: unknown[] = message.parts;
  const onProse = createProseParts(parts);
  const onTool = createToolParts(parts);

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
      case 'reset-step':
        parts.length = message.parts.findLastIndex((part) => part.type === 'step-start') + 1;
        return;
      case 'text-start':
      case 'reasoning-start':
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end':
        onProse(chunk);
        return;
      case 'source-url':
      case 'source-document':
      case 'file':
      case 'reasoning-file':
        parts.push({ ...chunk });
        return;
      default:
        if (isDataChunk(chunk)) onData(parts, chunk);
        else onTool(chunk);
    }
  };
}

type DataChunk = Extract<UIMessageChunk, { type: `data-${string}` }>;

function isDataChunk(chunk: UIMessageChunk): chunk is DataChunk {
  return chunk.type.startsWith('data-');
}

/** As in the SDK, transient parts are not part of the message, and an existing `id` gets the new data. */
function onData(parts: unknown[], chunk: DataChunk): void {
  if (chunk.transient) return;
  const { type, id, data } = chunk;
  const known =
    id === undefined
      ? undefined
      : parts.find((part) => isRecord(part) && part.type === type && part.id === id);
  if (isRecord(known)) known.data = data;
  else parts.push({ ...chunk });
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
