import type { FlowStream } from 'countersign/views';

/**
 * Rejected: withheld text in the memory of the process, beside the stored log. The buffer collects text during each
 * response and releases it with the last one.
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
