import { type ToolEvent, ToolEventsClient, ToolEventsError } from 'countersign/plugins/tool-events/client';
import { collect } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { userHeader } from '../../support/serve-fixture.ts';
import { gate } from './support/gate.ts';
import { musicTools, ServiceError } from './support/music-catalogue.ts';
import { serveDialects } from './support/serve-dialects.ts';
import { frameTypes } from './support/tool-events-client.ts';

const pay = { call: 'pay', id: 'pay', input: { to: 'Alice', amount: 30 } };

function clientOf(url: string, options: Partial<ConstructorParameters<typeof ToolEventsClient>[0]> = {}) {
  const client = new ToolEventsClient({ url, ...options });
  onTestFinished(() => client.close());
  return client;
}

const textOf = ({ state }: ToolEventsClient) =>
  state.content.map((block) => (block.type === 'text' ? block.text : '')).join('');

/** A `fetch` whose first stream breaks after some frames, as a lost connection does. */
function cutAfter(frames: number): { fetch: typeof fetch; requests: Request[] } {
  const requests: Request[] = [];
  return {
    requests,
    async fetch(input, init) {
      requests.push(new Request(input, init));
      const response = await fetch(input, init);
      if (requests.length > 1 || !response.body) return response;
      let seen = 0;
      let rest = '';
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          rest += new TextDecoder().decode(bytes);
          for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
            if (seen === frames) return controller.error(new TypeError('terminated'));
            controller.enqueue(new TextEncoder().encode(rest.slice(0, end + 2)));
            rest = rest.slice(end + 2);
            seen += 1;
          }
        },
      });
      return new Response(response.body.pipeThrough(cut), response);
    },
  };
}

describe('ToolEventsClient', () => {
  it('sends, asks, answers, and keeps the state of the message [A18, A25]', async () => {
    const { url } = await serveDialects([
      [{ text: 'One moment. ' }, pay],
      [{ text: 'Paid.' }],
      [{ text: 'Bye.' }],
    ]);
    const client = clientOf(url);
    await client.connect();
    const connections = new Set<string>();
    client.subscribe(() => connections.add(client.connection));
    const frames: ToolEvent[] = [];
    for await (const frame of client.send('Pay')) {
      frames.push(frame);
      if (frame.type !== 'approval_request') continue;
      expect(client.state.asked).toMatchObject({ toolCallId: 'pay', question: { mayAnswer: true } });
      await client.answer({ approvalId: frame.approvalId, approved: true });
    }
    expect(frameTypes(frames)).toEqual([
      'message_start',
      'text_delta',
      'approval_request',
      'tool_call_start',
      'tool_call_end',
      'text_delta',
      'message_end',
    ]);
    expect(textOf(client)).toBe('One moment. Paid.');
    expect([...client.state.invocations.values()]).toMatchObject([{ status: 'completed' }]);
    expect(client.state).toMatchObject({ isRunning: false, asked: undefined });
    const { conversationId } = client.state;
    await collect(client.send('Bye'));
    expect([client.state.conversationId, textOf(client)]).toEqual([conversationId, 'Bye.']);
    expect([...connections]).toEqual(['connecting', 'open', 'closed']);
  });

  it.each([1, 3, 5])(
    'resumes a stream that breaks after %i frames, with the stored text once [A22]',
    async (count) => {
      const { url } = await serveDialects([
        [{ text: 'Let me see. ' }, { call: 'weather', id: 'w', input: { city: 'Oslo' } }],
        [{ text: 'Sunny.' }],
      ]);
      const { fetch, requests } = cutAfter(count);
      const client = clientOf(url, { fetch });
      const connections = new Set<string>();
      client.subscribe(() => connections.add(client.connection));
      const frames = await collect(client.send('Weather?'));
      expect(textOf(client)).toBe('Let me see. Sunny.');
      expect([...client.state.invocations.values()]).toMatchObject([{ status: 'completed' }]);
      expect(frames.filter(({ type }) => type === 'message_start')).toHaveLength(2);
      expect([...connections]).toEqual(['connecting', 'open', 'reconnecting', 'closed']);
      expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
    },
  );

  it('never sends a message again whose response was lost before its first frame [A26]', async () => {
    const { url, model } = await serveDialects([[{ text: 'Hello.' }]]);
    const { fetch, requests } = cutAfter(0);
    const client = clientOf(url, { fetch });
    await expect(collect(client.send('Hi'))).rejects.toMatchObject({ code: 'connection-lost', status: 0 });
    expect(requests).toHaveLength(1);
    expect(model.calls.length).toBeLessThanOrEqual(1);
  });

  it('resumes a conversation of another client, and makes a failed call again [A11, A22]', async () => {
    const { tools } = musicTools([new ServiceError('Try later.', 400, true)]);
    const search = { call: 'tidalSearch', id: 'tidal', input: { query: 'blue' } };
    const { url } = await serveDialects([[search], [{ text: 'Closed. ' }], [{ text: 'Found.' }]], { tools });
    const first = clientOf(url);
    await collect(first.send('Find'));
    const second = clientOf(url);
    await collect(second.resume(first.state.conversationId));
    expect(second.state).toEqual(first.state);
    await collect(second.retry('tidal'));
    expect([...second.state.invocations.values()]).toMatchObject([
      { status: 'failed', retryable: true },
      { status: 'completed' },
    ]);
    expect(textOf(second)).toBe('Closed. Found.');
  });

  it('throws what the server refuses, with its code and status [A26]', async () => {
    const { url } = await serveDialects([[{ text: 'Hello.' }]]);
    const ada = clientOf(url);
    await expect(collect(ada.send(' '))).rejects.toMatchObject({ code: 'invalid-request', status: 400 });
    await expect(collect(ada.resume('nowhere'))).rejects.toBeInstanceOf(ToolEventsError);
    await expect(ada.answer({ approvalId: 'none', approved: true })).rejects.toMatchObject({ status: 404 });
    expect(ada.connection).toBe('closed');
  });

  it('sends its headers with each request, and stops reading when it is closed [A26]', async () => {
    const held = gate();
    const { url, model } = await serveDialects([
      [{ text: 'One. ' }, { wait: held.passed }, { text: 'Two.' }],
    ]);
    const client = clientOf(`${url}/`, { headers: async () => ({ [userHeader]: 'ben' }) });
    const frames: ToolEvent[] = [];
    for await (const frame of client.send('Hi')) {
      frames.push(frame);
      if (frame.type === 'text_delta') client.close();
    }
    expect(frameTypes(frames)).toEqual(['message_start', 'text_delta']);
    expect(client.connection).toBe('closed');
    held.open();
    const stranger = clientOf(url);
    await expect(collect(stranger.resume(client.state.conversationId))).rejects.toMatchObject({
      status: 404,
    });
    await collect(client.resume());
    expect(textOf(client)).toBe('One. Two.');
    expect(model.calls).toHaveLength(1);
  });
});
