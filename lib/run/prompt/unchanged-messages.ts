import type { ModelMessage } from 'ai';
import { hasWebFile } from './web-files.ts';

type Unchanged = {
  readonly target: string;
  readonly messages: readonly ModelMessage[];
  readonly count: number;
};

/**
 * Remembers how many messages at the beginning of a chat's prompt are sent as they are, so that a step looks only at newer ones.
 * Compares messages by identity, because those of a transcript are replaced and never changed. A chat is forgotten with its first
 * message.
 *
 * @param target names what a prompt is fitted to
 */
export function createUnchangedMessages() {
  const byFirst = new WeakMap<ModelMessage, Unchanged>();

  return {
    count(messages: readonly ModelMessage[], target: string): number {
      const [first] = messages;
      const known = first && byFirst.get(first);
      if (known?.target !== target) return 0;
      let count = 0;
      while (count < known.count && messages[count] === known.messages[count]) count += 1;
      return count;
    },

    /** @param fitted what is sent instead of the messages from `start` on; those before are unchanged */
    add(
      messages: readonly ModelMessage[],
      { start, fitted, target }: { start: number; fitted: readonly ModelMessage[]; target: string },
    ): void {
      const [first] = messages;
      const end = fitted.findIndex(
        (message, index) => message !== messages[start + index] || !standsAlone(message),
      );
      const count = start + (end === -1 ? fitted.length : end);
      if (first && count > 0) byFirst.set(first, { target, messages, count });
    },
  };
}

/** False if something else decides what is sent: the model about a web address, a provider's call about its result. */
function standsAlone(message: ModelMessage): boolean {
  return !hasWebFile(message) && !hasProviderCall(message);
}

function hasProviderCall({ role, content }: ModelMessage): boolean {
  if (role !== 'assistant' || typeof content === 'string') return false;
  return content.some((part) => part.type === 'tool-call' && part.providerExecuted);
}
