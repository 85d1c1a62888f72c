import type { UIMessageChunk } from 'ai';
import type { FlowEvent, Source } from '../../protocol/index.ts';

/** One thing that the model produced besides calls. */
type Block =
  | { readonly type: 'text' | 'reasoning'; readonly id: string; text: string }
  | { readonly type: 'source'; readonly source: Source };

/**
 * Withholds the prose of a turn until it is released: text, reasoning, sources and files, in the order in which the
 * model produced them, one part a block.
 *
 * @source T3
 */
export function createHeldProse() {
  let blocks: Block[] = [];
  /** How many blocks there were when the model step began. A step that runs again after a take-over drops its first try. */
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

    /** The text so far, block by block, for a draft. */
    texts: () =>
      blocks.flatMap((block) => (block.type === 'text' ? [{ id: block.id, text: block.text }] : [])),

    /** All prose as chunks. Nothing is withheld afterwards. */
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
