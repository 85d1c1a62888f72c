import type { FlowStream } from 'countersign';

/**
 * Rejected: withheld text in the memory of the process, beside what is stored. It gathers what passes by while a
 * response is made, and gives it out with the last one.
 */
export function textBuffer() {
  const withheld = new Map<string, string>();

  return async function release({ events, view }: FlowStream): Promise<string> {
    const chatId = view.chat.id;
    for await (const event of events) {
      const isNew = event.seq >= view.emitFrom;
      if (isNew && event.type === 'text-delta') {
        withheld.set(chatId, (withheld.get(chatId) ?? '') + event.delta);
      }
      if (event.type === 'run-completed') return withheld.get(chatId) ?? '';
    }
    return '';
  };
}
