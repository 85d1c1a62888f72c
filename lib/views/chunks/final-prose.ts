import type { UIMessageChunk } from 'ai';
import { ownCalls, type Turn } from '../../log/turn/turn.ts';
import type { EventOf, FlowEvent, Source } from '../../protocol/index.ts';
import type { DraftJson } from '../../protocol/wire/chat/draft.ts';
import { factsFor } from './call-chunks.ts';
import { dataChunk } from './data-chunks.ts';

/** One item other than a call that the model, a tool or a route produced. */
type Block =
  | ProseBlock
  | { readonly type: 'source'; readonly source: Source }
  | { readonly type: 'data'; event: EventOf<'data-written'>; readonly seq: number };

type ProseBlock = {
  readonly type: 'text' | 'reasoning';
  readonly id: string;
  text: string;
  readonly place: BlockPlace;
  /** The position of its draft. */
  drafted: number;
};

/** Where a block was begun: the `seq` of its first delta, and the calls of its step that came before it. */
type BlockPlace = { readonly seq: number; readonly step: number; readonly afterCalls: number };

/** Withholds prose until it is released, one part per block, in order. @source T3 */
export function createWithheldProse() {
  let blocks: Block[] = [];
  /** How many blocks there were when the model step began. A step that runs again after a take-over drops its first try. */
  let stepStart = 0;
  let step = -1;

  function addData(event: EventOf<'data-written'>): void {
    const { type, id } = event.part;
    const isSame = ({ part }: EventOf<'data-written'>) =>
      id !== undefined && part.type === type && part.id === id;
    const block = blocks.find((known) => known.type === 'data' && isSame(known.event));
    if (block?.type === 'data') block.event = event;
    else blocks.push({ type: 'data', event, seq: event.seq });
  }

  return {
    addData,

    /** @returns the ids of the texts that are dropped, because their step runs again */
    apply(event: FlowEvent): string[] {
      switch (event.type) {
        case 'step-started':
          return beginStep(event.step);
        case 'text-delta':
          append('text', event);
          return [];
        case 'reasoning-delta':
          append('reasoning', event);
          return [];
        case 'source-added':
          blocks.push({ type: 'source', source: event.source });
          return [];
        case 'data-written':
          if (!event.transient) addData(event);
          return [];
        default:
          return [];
      }
    },

    /** A delta of text as a draft. The first of its block has the position. */
    draftOf({ textId, delta, seq }: EventOf<'text-delta'>): DraftJson {
      const isFirst = texts().some(({ id, place }) => id === textId && place.seq === seq);
      return { textId, delta, position: isFirst ? seq : undefined };
    },

    /** The text so far, block by block. */
    drafts: (): DraftJson[] =>
      texts().map(({ id, text, drafted }) => ({ textId: id, delta: text, position: drafted })),

    /** Moves drafts after the calls that the model had written before them, which are recorded at the end of their step. */
    moveDrafts: (turn: Readonly<Turn>): DraftJson[] =>
      texts().flatMap((block) => {
        const position = positionOf(block.place, turn);
        if (position === block.drafted) return [];
        block.drafted = position;
        return [{ textId: block.id, delta: '', position }];
      }),

    /** All prose of a turn as chunks. Nothing is withheld afterwards. */
    release(turn: Readonly<Turn>): UIMessageChunk[] {
      const released = blocks.flatMap((block) => blockChunks(block, turn));
      blocks = [];
      stepStart = 0;
      return released;
    },
  };

  function texts(): ProseBlock[] {
    return blocks.flatMap((block) => (block.type === 'text' ? [block] : []));
  }

  function beginStep(begun: number): string[] {
    const dropped = blocks.filter(({ type }, at) => begun === step && at >= stepStart && type !== 'data');
    if (dropped.length > 0) blocks = blocks.filter((block) => !dropped.includes(block));
    step = begun;
    stepStart = blocks.length;
    return dropped.flatMap((block) => (block.type === 'text' ? [block.id] : []));
  }

  function append(type: 'text' | 'reasoning', event: EventOf<'text-delta' | 'reasoning-delta'>): void {
    const { textId: id, delta, seq, afterCalls = 0 } = event;
    const block = blocks.find((known) => known.type === type && known.id === id);
    if (block && 'text' in block) block.text += delta;
    else blocks.push({ type, id, text: delta, place: { seq, step, afterCalls }, drafted: seq });
  }
}

function blockChunks(block: Block, turn: Readonly<Turn>): UIMessageChunk[] {
  if (block.type === 'source') return [block.source];
  if (block.type === 'data') return [dataChunk(block.event, { position: block.seq })];
  const { type, id, text } = block;
  return [
    { type: `${type}-start`, id, ...factsFor({ position: positionOf(block.place, turn) }) },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id },
  ];
}

/** The calls of a step are recorded at its end. Text that the model wrote after one of them belongs after it. */
function positionOf({ seq, step, afterCalls }: BlockPlace, turn: Readonly<Turn>): number {
  const before = ownCalls(turn).filter(
    (call) => call.step === step && !call.kept && !call.requested.replaces,
  );
  const last = before.slice(0, afterCalls).at(-1);
  return last ? last.position + 0.5 : seq;
}
