import type { UIMessage } from 'ai';
import { type ChatId, CountersignError, type Principal } from '../protocol/index.ts';
import { changeable } from '../rights/permissions.ts';
import { createDataWriter } from '../run/data/data-writer.ts';
import type { WrittenPart } from '../run/data/parse-data-part.ts';
import type { Engine } from '../run/engine.ts';
import type { DataWriter } from '../settings/call/data-writer.ts';

/** Writes data parts from outside of tools into the turn that is running at that moment. @source ADR 0031 */
export function writerFor<Message extends UIMessage>(
  engine: Engine,
  { chatId, principal }: { readonly chatId: ChatId; readonly principal: Principal },
): DataWriter<Message> {
  const { settings, store, local } = engine;
  let last: Promise<void> = Promise.resolve();

  async function send(written: WrittenPart): Promise<void> {
    const { status, runId } = await changeable(settings, principal, chatId, await store.chats.head(chatId));
    if (status !== 'active' || runId === null) {
      throw refuse(chatId, `Chat ${chatId} has no running turn. Write data parts while its turn runs.`);
    }
    const run = local(runId);
    if (!run)
      throw refuse(
        chatId,
        `The turn of chat ${chatId} runs on another instance. Write its data parts there.`,
      );
    return run.write(written);
  }

  return createDataWriter((written) => {
    const sent = last.then(() => send(written));
    last = sent.catch(() => {});
    return sent;
  });
}

function refuse(chatId: ChatId, message: string): CountersignError {
  return new CountersignError('invalid-request', message, { chatId });
}
