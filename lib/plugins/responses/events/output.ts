import type { ResponseEvent, UnnumberedEvent } from '../client/schema/event-schema.ts';
import type { Item } from '../client/schema/item-schema.ts';

/** The place of an item in the output: part of every event about it. */
export type Place = { readonly item_id: string; readonly output_index: number };

/**
 * Collects the events and items of a response: numbers events without gaps, gives each item the next place, and keeps
 * the latest version of each item.
 *
 * @source C5, C12
 */
export function createOutput() {
  let sequence = 0;
  const items: Item[] = [];
  const open = new Set<number>();
  const withdrawn = new Set<number>();
  let events: ResponseEvent[] = [];

  function emit(event: UnnumberedEvent): void {
    events.push({ ...event, sequence_number: sequence });
    sequence += 1;
  }

  return {
    emit,

    /** Announces an item. */
    add(item: Item): Place {
      const output_index = items.push(item) - 1;
      open.add(output_index);
      emit({ type: 'response.output_item.added', output_index, item });
      return { item_id: item.id, output_index };
    },

    /** Completes an item. */
    done({ output_index }: Place, item: Item): void {
      items[output_index] = item;
      open.delete(output_index);
      emit({ type: 'response.output_item.done', output_index, item });
    },

    /** Leaves items out of the response. Their events keep their numbers and indexes. */
    withdraw(places: readonly Place[]): void {
      for (const { output_index } of places) withdrawn.add(output_index);
    },

    /** Completes open items as incomplete, before a response ends early. */
    endOpen(): void {
      for (const output_index of [...open]) {
        const item = items[output_index];
        if (item) this.done({ item_id: item.id, output_index }, endedEarly(item));
      }
    },

    /** The items of the response, in the order in which they were announced. */
    items: (): Item[] => items.filter((_item, output_index) => !withdrawn.has(output_index)),

    /** The events since the last call. */
    take(): ResponseEvent[] {
      const taken = events;
      events = [];
      return taken;
    },
  };
}

/** @see createOutput */
export type Output = ReturnType<typeof createOutput>;

function endedEarly(item: Item): Item {
  return 'status' in item ? { ...item, status: 'incomplete' } : item;
}
