import type { UIMessageChunk } from 'ai';
import type { FlowEvent } from '../../protocol/index.ts';

export function createLiveProse() {
  const open = new Map<string, 'text' | 'reasoning'>();

  function write(type: 'text' | 'reasoning', id: string, delta: string): UIMessageChunk[] {
    const chunks: UIMessageChunk[] = open.has(id) ? [] : [{ type: `${type}-start`, id }];
    open.set(id, type);
    return [...chunks, { type: `${type}-delta`, id, delta }];
  }

  return {
    apply(event: FlowEvent): UIMessageChunk[] {
      switch (event.type) {
        case 'text-delta':
          return write('text', event.textId, event.delta);
        case 'reasoning-delta':
          return write('reasoning', event.textId, event.delta);
        case 'source-added':
          return [event.source];
        default:
          return [];
      }
    },

    end(): UIMessageChunk[] {
      const chunks = [...open].map(([id, type]): UIMessageChunk => ({ type: `${type}-end`, id }));
      open.clear();
      return chunks;
    },

    reset: () => open.clear(),
  };
}
