import { TwoStepClient } from 'countersign/plugins/two-step-stream/client';
import type { MovingServer } from './moving-server.ts';
import type { DialectReading } from './readers.ts';
import { untilShown } from './until-shown.ts';

/** Reads a turn with `TwoStepClient`. */
export function readTwoStep(server: MovingServer, message: string): DialectReading {
  const client = new TwoStepClient(server);
  const streams: string[] = [];
  let shutdowns = 0;

  async function read(events: ReturnType<TwoStepClient['send']>): Promise<void> {
    for await (const { type, data } of events) {
      if (type === 'error' && data.tool_call_id === null) shutdowns += 1;
    }
    if (client.streamId !== undefined) streams.push(client.streamId);
  }

  async function play() {
    await read(client.send(message));
    while (client.state.done === 'approval_required') {
      const asked = [...client.state.activities.values()].find(({ approvalId }) => approvalId !== undefined);
      await read(client.answer({ approvalId: asked?.approvalId ?? '', approved: true }));
    }
    const { chatId = '', state } = client;
    if (state.done !== 'complete') throw new Error(`The turn ended as ${state.done}: ${state.error}`);
    return { chatId, text: state.text, fresh: await readAgain(), shutdowns };
  }

  /** All streams of the turn, as a client reads them that has seen nothing, and does not know `reset`. */
  async function readAgain(): Promise<string> {
    const texts: string[] = [];
    for (const streamId of streams) {
      for await (const event of new TwoStepClient(server).resume({ streamId })) {
        if (event.type === 'message_chunk') texts.push(event.data.text);
      }
    }
    return texts.join('');
  }

  return {
    ended: play(),
    shows: (text) => untilShown(client, () => client.state.text === text && client.connection === 'open'),
  };
}
