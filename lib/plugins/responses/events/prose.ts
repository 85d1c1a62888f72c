import type { ChatId, EventOf, Source } from '../../../protocol/index.ts';
import type { ItemOf } from '../client/schema/item-schema.ts';
import { formatItemId } from '../ids.ts';
import type { Output, Place } from './output.ts';

type Block = {
  readonly textId: string;
  readonly place: Place;
  readonly end: (status: 'completed' | 'incomplete', refused?: boolean) => void;
  readonly grow: (delta: string) => void;
  readonly cite: (source: UrlSource) => void;
};

type UrlSource = Extract<Source, { type: 'source-url' }>;

/**
 * Text and reasoning as items of one part each. Only one block is open at a time; any other event ends it.
 *
 * @source C12, ADR 0014.25
 */
export function createProse(output: Output, chatId: ChatId) {
  let block: Block | undefined;
  /** Sources that came before any text that could cite them. */
  let waiting: UrlSource[] = [];
  let step: number | undefined;
  /** The items of the current model step. */
  let said: Place[] = [];
  /** The sources that were not yet sent when the step began. */
  let given: readonly UrlSource[] = [];

  function begin(next: Block): Block {
    said.push(next.place);
    return next;
  }

  function end(status: 'completed' | 'incomplete' = 'completed'): void {
    block?.end(status);
    block = undefined;
  }

  return {
    end,

    /**
     * Begins a model step. If the step begins again, because its process ended or its model call failed, the items of the broken
     * attempt are left out of the response.
     */
    stepStarted(event: EventOf<'step-started'>): void {
      end('incomplete');
      if (event.step === step) {
        output.withdraw(said);
        waiting = [...given];
      }
      step = event.step;
      said = [];
      given = waiting;
    },

    /** The open text was a refusal, which is known at its end only: it is repeated as one. */
    refuse(): void {
      block?.end('completed', true);
      block = undefined;
    },

    text(event: EventOf<'text-delta'>): void {
      if (block?.textId !== event.textId) {
        end();
        block = begin(textBlock(output, formatItemId('message', chatId, event.seq), event.textId));
        for (const source of waiting) block.cite(source);
        waiting = [];
      }
      block.grow(event.delta);
    },

    reasoning(event: EventOf<'reasoning-delta'>): void {
      if (block?.textId !== event.textId) {
        end();
        block = begin(reasoningBlock(output, formatItemId('reasoning', chatId, event.seq), event.textId));
      }
      block.grow(event.delta);
    },

    source({ source }: EventOf<'source-added'>): void {
      if (source.type !== 'source-url') return;
      if (block) block.cite(source);
      else waiting.push(source);
    },
  };
}

/** Begins a message of one text. */
export function textBlock(output: Output, id: string, textId: string): Block {
  const item: ItemOf<'message'> = {
    type: 'message',
    id,
    role: 'assistant',
    status: 'in_progress',
    content: [],
  };
  const place = output.add(item);
  const at = { ...place, content_index: 0 };
  let part: Extract<ItemOf<'message'>['content'][number], { type: 'output_text' }> = {
    type: 'output_text',
    text: '',
    annotations: [],
    logprobs: [],
  };
  output.emit({ type: 'response.content_part.added', ...at, part });
  return {
    textId,
    place,
    grow(delta) {
      part = { ...part, text: part.text + delta };
      output.emit({ type: 'response.output_text.delta', ...at, delta, logprobs: [] });
    },
    cite({ url, title = url }) {
      const end = part.text.length;
      const annotation = { type: 'url_citation' as const, start_index: end, end_index: end, title, url };
      const annotation_index = part.annotations.length;
      part = { ...part, annotations: [...part.annotations, annotation] };
      output.emit({ type: 'response.output_text.annotation.added', ...at, annotation_index, annotation });
    },
    end(status, refused = false) {
      output.emit({ type: 'response.output_text.done', ...at, text: part.text, logprobs: [] });
      output.emit({ type: 'response.content_part.done', ...at, part });
      const refusal = refused ? [tellRefusal(output, place, part.text)] : [];
      output.done(place, { ...item, status, content: [part, ...refusal] });
    },
  };
}

/** A refusal, as the second part of its message. @source C13 */
function tellRefusal(output: Output, place: Place, refusal: string) {
  const at = { ...place, content_index: 1 };
  const part = { type: 'refusal' as const, refusal };
  output.emit({ type: 'response.content_part.added', ...at, part: { ...part, refusal: '' } });
  output.emit({ type: 'response.refusal.delta', ...at, delta: refusal });
  output.emit({ type: 'response.refusal.done', ...at, refusal });
  output.emit({ type: 'response.content_part.done', ...at, part });
  return part;
}

function reasoningBlock(output: Output, id: string, textId: string): Block {
  const item: ItemOf<'reasoning'> = { type: 'reasoning', id, status: 'in_progress', summary: [] };
  const place = output.add(item);
  const at = { ...place, summary_index: 0 };
  let text = '';
  const part = () => ({ type: 'summary_text' as const, text });
  output.emit({ type: 'response.reasoning_summary_part.added', ...at, part: part() });
  return {
    textId,
    place,
    grow(delta) {
      text += delta;
      output.emit({ type: 'response.reasoning_summary_text.delta', ...at, delta });
    },
    cite() {},
    end(status) {
      output.emit({ type: 'response.reasoning_summary_text.done', ...at, text });
      output.emit({ type: 'response.reasoning_summary_part.done', ...at, part: part() });
      output.done(place, { ...item, status, summary: [part()] });
    },
  };
}

/** @see createProse */
export type Prose = ReturnType<typeof createProse>;
