import { tool } from 'ai';
import { collect } from 'countersign/testing';
import { EventSource } from 'eventsource';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { storedConversationSchema, type ToolEvent } from '../../../lib/plugins/tool-events/client/schema.ts';
import { gate } from './support/gate.ts';
import { answerOverHttp, serveDialects } from './support/serve-dialects.ts';
import {
  type FrameWithId,
  framesWithIds,
  frameTypes,
  openToolEvents,
  resumeToolEvents,
  toolEvents,
  untilFrame,
} from './support/tool-events-client.ts';

const eventsOf = (frames: readonly FrameWithId[]) => frames.map(({ event }) => event);
const pay = { call: 'pay', id: 'pay', input: { to: 'Alice', amount: 30 } };

function conversationOf(frames: readonly ToolEvent[]): string {
  const [start] = frames;
  if (start?.type !== 'message_start') throw new Error('A stream begins with message_start.');
  return start.conversationId;
}

async function untilEvent(
  frames: AsyncGenerator<FrameWithId, void, void>,
  type: ToolEvent['type'],
): Promise<FrameWithId> {
  for await (const frame of { [Symbol.asyncIterator]: () => ({ next: () => frames.next() }) }) {
    if (frame.event.type === type) return frame;
  }
  throw new Error(`The stream ended without ${type}.`);
}

async function stored(url: string, conversationId: string) {
  const response = await fetch(`${url}/api/dialects/tool-events?conversationId=${conversationId}`);
  return storedConversationSchema.parse(await response.json());
}

describe('tool events: the stream that can be resumed', () => {
  it('replays a finished message with the frames of the POST, and an id on each [A1, A22]', async () => {
    const { url } = await serveDialects([
      [{ text: 'Let me see.' }, { call: 'weather', id: 'w', input: { city: 'Oslo' } }],
      [{ text: 'Sunny.' }],
    ]);
    const posted = await toolEvents(url, 'Weather?');
    const replayed = await collect(framesWithIds(await resumeToolEvents(url, conversationOf(posted))));
    expect(eventsOf(replayed)).toEqual(posted);
    const ids = replayed.map(({ id }) => id);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('continues after any frame by its id, and returns 204 after the last one [A22]', async () => {
    const { url } = await serveDialects([
      [{ text: 'Let me see.' }, { call: 'weather', id: 'w', input: { city: 'Oslo' } }],
      [{ text: 'Sunny.' }],
    ]);
    const conversation = conversationOf(await toolEvents(url, 'Weather?'));
    const all = await collect(framesWithIds(await resumeToolEvents(url, conversation)));
    for (const [index, { id }] of all.slice(0, -1).entries()) {
      const response = await resumeToolEvents(url, conversation, { lastEventId: id });
      expect(await collect(framesWithIds(response))).toEqual(all.slice(index + 1));
    }
    const last = await resumeToolEvents(url, conversation, { lastEventId: all.at(-1)?.id });
    expect(last.status).toBe(204);
  });

  it('replays from the start for an id that is not of this conversation [A22]', async () => {
    const { url } = await serveDialects([[{ text: 'One.' }], [{ text: 'Two.' }]]);
    const one = conversationOf(await toolEvents(url, 'Hi'));
    const two = conversationOf(await toolEvents(url, 'Hi'));
    const ofOne = await collect(framesWithIds(await resumeToolEvents(url, one)));
    for (const lastEventId of [ofOne.at(-1)?.id, 'nonsense', '']) {
      const frames = await collect(framesWithIds(await resumeToolEvents(url, two, { lastEventId })));
      expect(frameTypes(eventsOf(frames))).toEqual(['message_start', 'text_delta', 'message_end']);
    }
  });

  it('shows a call as running after a reload, and then its end [A22, A26]', async () => {
    const held = gate();
    const slow = tool({
      inputSchema: z.object({}),
      execute: async () => {
        await held.passed;
        return ['found'];
      },
    });
    const { url } = await serveDialects([[{ call: 'slow', id: 's' }], [{ text: 'Done.' }]], {
      tools: { slow },
    });
    const leaving = new AbortController();
    const posted = await openToolEvents(url, 'Go', { signal: leaving.signal });
    const { conversationId } = await untilFrame(posted, 'message_start');
    await untilFrame(posted, 'tool_call_start');
    leaving.abort();
    await posted.return().catch(() => {});

    const { run, lastEventId } = await stored(url, conversationId);
    expect(run).toEqual({ status: 'active' });
    const whole = framesWithIds(await resumeToolEvents(url, conversationId));
    const rest = framesWithIds(await resumeToolEvents(url, conversationId, { lastEventId }));
    await untilEvent(whole, 'tool_call_start');
    held.open();
    expect((await untilEvent(whole, 'tool_call_end')).event).toMatchObject({
      toolCallId: 's',
      resultCount: 1,
    });
    expect(frameTypes(eventsOf(await collect(rest)))).toEqual(['tool_call_end', 'text_delta', 'message_end']);
    await collect(whole);
    expect((await stored(url, conversationId)).run).toEqual({ status: 'idle' });
  });

  it('shows a question to a second reader, and follows an answer that is given elsewhere [A22, A25]', async () => {
    const { url } = await serveDialects([[pay], [{ text: 'Paid.' }]]);
    const posted = await openToolEvents(url, 'Pay', { acceptApprovals: true });
    const { conversationId } = await untilFrame(posted, 'message_start');
    const { approvalId } = await untilFrame(posted, 'approval_request');
    expect((await stored(url, conversationId)).run).toEqual({ status: 'waiting' });
    const second = framesWithIds(await resumeToolEvents(url, conversationId));
    expect((await untilEvent(second, 'approval_request')).event).toMatchObject({ approvalId });
    await answerOverHttp(url, approvalId, { approved: true });
    const rest = eventsOf(await collect(second));
    expect(frameTypes(rest)).toEqual(['tool_call_start', 'tool_call_end', 'text_delta', 'message_end']);
    expect(await collect(posted)).toEqual(rest);
  });

  it('stays open for later messages with follow=1 [A22]', async () => {
    const { url } = await serveDialects([[{ text: 'One.' }], [{ text: 'Two.' }]]);
    const first = await toolEvents(url, 'Hi');
    const conversationId = conversationOf(first);
    const { lastEventId } = await stored(url, conversationId);
    const leaving = new AbortController();
    const followed = framesWithIds(
      await resumeToolEvents(url, conversationId, { lastEventId, follow: true, signal: leaving.signal }),
    );
    const second = await toolEvents(url, 'And?', { conversationId });
    const seen: FrameWithId[] = [];
    for await (const frame of followed) {
      seen.push(frame);
      if (frame.event.type === 'message_end') break;
    }
    leaving.abort();
    expect(eventsOf(seen)).toEqual(second);
  });

  it('returns 404 for another user’s or an unknown conversation, and 400 without one [A26]', async () => {
    const { url } = await serveDialects([[{ text: 'One.' }]]);
    const conversationId = conversationOf(await toolEvents(url, 'Hi'));
    expect((await resumeToolEvents(url, conversationId, { user: 'mallory' })).status).toBe(404);
    expect((await resumeToolEvents(url, 'nowhere')).status).toBe(404);
    expect((await fetch(`${url}/api/dialects/tool-events/stream`)).status).toBe(400);
  });

  it('serves an EventSource, whose id of the last frame resumes at the end [A22]', async () => {
    const { url } = await serveDialects([
      [{ call: 'weather', id: 'w', input: { city: 'Oslo' } }],
      [{ text: 'Sunny.' }],
    ]);
    const posted = await toolEvents(url, 'Weather?');
    const address = `${url}/api/dialects/tool-events/stream?conversationId=${conversationOf(posted)}`;
    const source = new EventSource(address);
    const seen: ToolEvent[] = [];
    const lastEventId = await new Promise<string>((resolve) => {
      source.onmessage = (message) => {
        seen.push(JSON.parse(message.data));
        if (seen.at(-1)?.type === 'message_end') resolve(message.lastEventId);
      };
    });
    source.close();
    expect(seen).toEqual(posted);
    expect((await fetch(`${address}&lastEventId=${lastEventId}`)).status).toBe(204);
  });
});
