import { type DialectClient, DialectError, type ServerAddress } from 'countersign/dialects/client';
import { ChatSocketClient } from 'countersign/plugins/chat-socket/client';
import { ResponsesClient } from 'countersign/plugins/responses/client';
import { ToolEventsClient } from 'countersign/plugins/tool-events/client';
import { TwoStepClient } from 'countersign/plugins/two-step-stream/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { responsesGateway } from '../../support/responses-gateway.ts';
import { gate } from './support/gate.ts';
import { serveDialects } from './support/serve-dialects.ts';

type Script = Parameters<typeof serveDialects>[0];

/** What the classes of all dialects have. */
type AnyClient = DialectClient<unknown> & {
  send(text: string): AsyncIterable<unknown>;
  close(): void;
};

async function dialects(script: Script): Promise<ServerAddress> {
  return { url: (await serveDialects(script)).url };
}

async function gateway(script: Script): Promise<ServerAddress> {
  const { baseURL } = await responsesGateway(script);
  return { url: baseURL.replace(/\/v1$/, ''), headers: { authorization: 'Bearer ada' } };
}

/** Each class with its server, and a request for something that does not exist. */
const clients = [
  {
    name: 'ToolEventsClient',
    serve: dialects,
    open(server: ServerAddress) {
      const client = new ToolEventsClient(server);
      return { client, ask: () => client.resume('none') };
    },
  },
  {
    name: 'TwoStepClient',
    serve: dialects,
    open(server: ServerAddress) {
      const client = new TwoStepClient(server);
      return { client, ask: () => client.resume({ streamId: 'none' }) };
    },
  },
  {
    name: 'ResponsesClient',
    serve: gateway,
    open(server: ServerAddress) {
      const client = new ResponsesClient(server);
      return { client, ask: () => client.resume('resp_none') };
    },
  },
  {
    name: 'ChatSocketClient',
    serve: dialects,
    open(server: ServerAddress) {
      const client = new ChatSocketClient(server);
      return { client, ask: () => client.resume({ conversationId: 'none' }) };
    },
  },
];

/** The states of a connection, without repetitions. */
function connectionsOf(client: AnyClient): string[] {
  const seen: string[] = [];
  client.subscribe(() => seen.at(-1) !== client.connection && seen.push(client.connection));
  onTestFinished(() => client.close());
  return seen;
}

describe.each(clients)('$name, as the classes of all dialects,', ({ name, serve, open }) => {
  it('reads its turn to the end over one connection when the iteration is left early [A18, B13, C12, D2]', async () => {
    const held = gate();
    const { client } = open(await serve([[{ text: 'One. ' }, { wait: held.passed }, { text: 'Two.' }]]));
    const connections = connectionsOf(client);
    for await (const _event of client.send('Count')) break;
    held.open();
    const shown = () =>
      JSON.stringify(client.state, (_key, value) => (value instanceof Map ? [...value] : value));
    await expect.poll(shown).toContain('Two.');
    expect(shown()).toContain('One. ');
    client.close();
    expect(connections).toEqual(['connecting', 'open', 'closed']);
  });

  it('throws a refusal of its own class, with the code and the status [A26, B2, C16, D3]', async () => {
    const { client, ask } = open(await serve([]));
    connectionsOf(client);
    const error = await Array.fromAsync<unknown>(ask()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DialectError);
    expect(error).toMatchObject({ name: name.replace('Client', 'Error'), code: expect.any(String) });
    expect([403, 404]).toContain((error as DialectError).status);
  });
});
