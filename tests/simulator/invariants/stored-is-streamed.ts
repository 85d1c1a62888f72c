import { isDeepStrictEqual } from 'node:util';
import type { UIMessage, UIMessageChunk } from 'ai';
import { messageOf, plain } from '../../support/client-message.ts';
import { isContinued } from '../schedule/log-facts.ts';
import { type Invariant, tally } from './invariant.ts';

/** The message that a client built from its stream equals the one after a reload. */
export const storedIsStreamed: Invariant = {
  name: 'a stored message equals a streamed one',
  async check(history) {
    const { verify, result } = tally();
    for (const { chatId, instance, chat, replay } of history.finals) {
      const messages = (chat?.messages ?? []) as UIMessage[];
      const last = messages.at(-1);
      if (!replay || last?.role !== 'assistant') continue;
      verify(await difference(`the replay of ${chatId} by ${instance}`, replay, last));
    }
    for (const { chatId, instance, asks, does, end, chunks, via } of history.readings) {
      const stored = history.finals.find((each) => each.chatId === chatId)?.chat?.messages as
        | UIMessage[]
        | undefined;
      const start = chunks.find((chunk) => chunk.type === 'start');
      const message = stored?.find(({ id }) => start?.type === 'start' && id === start.messageId);
      const isWhole = end === 'done' && coversTurn(asks === 'resume' || beginners.has(does), chunks);
      if (!message || !isWhole || isResolvedLater(history, chatId) || lacksPlugins(history, instance))
        continue;
      if (isContinued(history.logs.get(chatId) ?? [], message.id)) continue;
      verify(await difference(`the ${asks} of ${chatId} over ${via} by ${instance}`, chunks, message));
    }
    return result();
  },
};

/** Requests whose response starts a turn. */
const beginners: ReadonlySet<string> = new Set(['send', 'regenerate', 'edit']);

/** From the turn's first event to its end: a replay, or a request's own response if nothing was asked. */
function coversTurn(isFromStart: boolean, chunks: readonly UIMessageChunk[]): boolean {
  const last = chunks.at(-1);
  const isOver =
    last?.type === 'abort' || last?.type === 'error' || (last?.type === 'finish' && !asksAtEnd(chunks));
  return isOver && isFromStart && !chunks.some(({ type }) => type === 'error');
}

function asksAtEnd(chunks: readonly UIMessageChunk[]): boolean {
  const settled = new Set(
    chunks.flatMap((chunk) =>
      /^tool-output/.test(chunk.type) && 'toolCallId' in chunk ? [chunk.toolCallId] : [],
    ),
  );
  return chunks.some((chunk) => chunk.type === 'tool-input-available' && !settled.has(chunk.toolCallId));
}

/** What became known after the response ended is only in the stored message. */
function isResolvedLater({ logs }: Parameters<Invariant['check']>[0], chatId: string): boolean {
  return logs.get(chatId)?.some(({ event }) => event.type === 'outcome-resolved') === true;
}

/** Where plugins are missing, a question offers less, and fewer people may answer it. */
function lacksPlugins({ lists, profile }: Parameters<Invariant['check']>[0], instance: string): boolean {
  return profile.lists?.deployed?.some((name) => lists.get(instance)?.has(name) === false) === true;
}

async function difference(what: string, chunks: readonly UIMessageChunk[], stored: UIMessage) {
  try {
    const streamed = await messageOf(chunks);
    if (isDeepStrictEqual(lasting(streamed), lasting(plain(stored)))) return undefined;
    return `${what} gives ${JSON.stringify(streamed)}, stored is ${JSON.stringify(stored)}`;
  } catch (error) {
    return `${what} cannot be read: ${error}`;
  }
}

/**
 * What depends on the time of reading: whether the tool of an open question was paused or had changed when it was streamed, and for whom
 * it waited. The stored message shows the current state.
 */
const marks: ReadonlySet<string> = new Set(['paused', 'outdated', 'whoMayAnswer']);

function lasting(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message, (key, value) => (marks.has(key) ? undefined : value)));
}
