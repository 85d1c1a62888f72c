import { openRequest, ResponsesClient } from 'countersign/plugins/responses/client';
import OpenAI from 'openai';
import { chatOfId } from '../../../../lib/plugins/responses/ids.ts';
import type { MovingServer } from './moving-server.ts';
import type { DialectReading } from './readers.ts';
import { untilShown } from './until-shown.ts';

/** Reads a turn with `ResponsesClient`, which continues a lost stream after its last event. */
export function readResponses(server: MovingServer, message: string): DialectReading {
  const client = new ResponsesClient(server);
  const ids = new Set<string>();

  async function read(events: ReturnType<ResponsesClient['send']>): Promise<void> {
    for await (const event of events) {
      if (event.type === 'response.created') ids.add(event.response.id);
    }
    if (client.state.failure !== undefined) throw new Error(`The turn failed: ${client.state.failure}`);
  }

  async function play() {
    await read(client.send(message));
    for (let asked = openRequest(client.state); asked; asked = openRequest(client.state)) {
      await read(client.answer({ approvalId: asked.id, approved: true }));
    }
    const chatId = chatOfId(client.state.responseId) ?? '';
    return { chatId, text: textOf(client), fresh: await readAgain(server, [...ids]), shutdowns: undefined };
  }

  return {
    ended: play(),
    shows: (text) => untilShown(client, () => textOf(client) === text && client.connection === 'open'),
  };
}

/** The responses of the turn, as OpenAI's client reads them by their ids: whole, and from the start of their streams. */
async function readAgain({ url, fetch }: MovingServer, ids: readonly string[]): Promise<string> {
  const { responses } = new OpenAI({ apiKey: 'ada', baseURL: `${url}/v1`, fetch });
  let [whole, streamed] = ['', ''];
  for (const id of ids) {
    whole += (await responses.retrieve(id)).output_text;
    streamed += (await responses.stream({ response_id: id }).finalResponse()).output_text;
  }
  return whole === streamed ? whole : `${whole}, but streamed: ${streamed}`;
}

function textOf({ state }: ResponsesClient): string {
  return [...state.texts.values()].join('');
}
