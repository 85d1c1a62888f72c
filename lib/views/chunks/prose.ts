import type { UIMessageChunk } from 'ai';
import type { FlowEvent, Source } from '../../protocol/index.ts';

/** One thing the model produced besides calls, in the order it came. */
type Block =
  | { readonly type: 'text' | 'reasoning'; readonly id: string; text: string }
  | { readonly type: 'source'; readonly source: Source };

/**
 * The prose of a turn, held until its release: text, reasoning, sources and files, in the order the model
 * produced them, one text part per block.
 *
 * @source T3
 */
export function createHeldProse() {
  let blocks: Block[] = [];
  /** Where the open model step began: a step that runs again after a take-over drops its first try. */
  let stepStart = 0;
  let step = -1;

  return {
    apply(event: FlowEvent): void {
      switch (event.type) {
        case 'step-started':
          if (event.step === step) blocks = blocks.slice(0, stepStart);
          step = event.step;
          stepStart = blocks.length;
          return;
        case 'text-delta':
          append('text', event.textId, event.delta);
          return;
        case 'reasoning-delta':
          append('reasoning', event.textId, event.delta);
          return;
        case 'source-added':
          blocks.push({ type: 'source', source: event.source });
          return;
        default:
      }
    },

    /** The text so far, block by block: what a draft shows. */
    texts: () =>
      blocks.flatMap((block) => (block.type === 'text' ? [{ id: block.id, text: block.text }] : [])),

    /** All of it, once. */
    release(): UIMessageChunk[] {
      const released = blocks.flatMap(blockChunks);
      blocks = [];
      stepStart = 0;
      return released;
    },
  };

  function append(type: 'text' | 'reasoning', id: string, delta: string): void {
    const block = blocks.find((b) => b.type === type && b.id === id);
    if (block && block.type !== 'source') block.text += delta;
    else blocks.push({ type, id, text: delta });
  }
}

function blockChunks(block: Block): UIMessageChunk[] {
  if (block.type === 'source') return [block.source];
  const { type, id, text } = block;
  return [
    { type: `${type}-start`, id },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id },
  ];
}

/** Prose as it happens: one part a block, closed when the next thing begins. @source T10, T11 */
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

    /** Closes what is open, at the end of a model step. */
    end(): UIMessageChunk[] {
      const chunks = [...open].map(([id, type]): UIMessageChunk => ({ type: `${type}-end`, id }));
      open.clear();
      return chunks;
    },

    /** Forgets what is open: the step is run again. */
    reset: () => open.clear(),
  };
}
