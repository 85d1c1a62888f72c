import { ToolEventsClient, ToolEventsError } from 'countersign/plugins/tool-events/client';
import type { MovingServer } from './moving-server.ts';
import type { DialectReading } from './readers.ts';
import { untilShown } from './until-shown.ts';

/** Reads a turn with `ToolEventsClient`. */
export function readToolEvents(server: MovingServer, message: string): DialectReading {
  const client = new ToolEventsClient(server);

  /** A stream that begins again asks again. */
  async function approve(approvalId: string): Promise<void> {
    await client.answer({ approvalId, approved: true }).catch((error: unknown) => {
      if (!(error instanceof ToolEventsError) || error.code !== 'already-answered') throw error;
    });
  }

  async function play() {
    for await (const frame of client.send(message)) {
      if (frame.type === 'approval_request') await approve(frame.approvalId);
    }
    const { conversationId: chatId = '', failure } = client.state;
    if (failure !== undefined) throw new Error(`The turn failed: ${failure}`);
    const other = new ToolEventsClient(server);
    for await (const _frame of other.resume(chatId));
    return { chatId, text: textOf(client), fresh: textOf(other), shutdowns: undefined };
  }

  return {
    ended: play(),
    shows: (text) => untilShown(client, () => textOf(client) === text && client.connection === 'open'),
  };
}

function textOf({ state }: ToolEventsClient): string {
  return state.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
