import type { ProviderMetadata, UIMessageChunk } from 'ai';

type ProseChunk = Extract<
  UIMessageChunk,
  { type: `${'text' | 'reasoning'}-start` | `${'text' | 'reasoning'}-delta` | `${'text' | 'reasoning'}-end` }
>;

/** Reduces the chunks of text and reasoning to parts, which it adds to the list. */
export function createProseParts(parts: unknown[]): (chunk: ProseChunk) => void {
  const streaming = new Map<string, { text: string; state: string }>();

  return (chunk) => {
    switch (chunk.type) {
      case 'text-start':
      case 'reasoning-start': {
        const part =
          chunk.type === 'text-start'
            ? { type: 'text', text: '', state: 'streaming', ...metadataOf(chunk) }
            : { type: 'reasoning', id: chunk.id, text: '', state: 'streaming', ...metadataOf(chunk) };
        streaming.set(chunk.id, part);
        parts.push(part);
        return;
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const part = streaming.get(chunk.id);
        if (part) part.text += chunk.delta;
        return;
      }
      case 'text-end':
      case 'reasoning-end': {
        const part = streaming.get(chunk.id);
        if (part) part.state = 'done';
        streaming.delete(chunk.id);
        return;
      }
      default:
        chunk satisfies never;
    }
  };
}

type WithMetadata = { readonly providerMetadata?: ProviderMetadata };

function metadataOf({ providerMetadata }: WithMetadata): WithMetadata {
  return providerMetadata === undefined ? {} : { providerMetadata };
}
