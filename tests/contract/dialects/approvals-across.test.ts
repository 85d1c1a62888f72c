import { collect } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { connectSse } from '../../support/connect-sse.ts';
import { questionIn } from '../../support/flow-fixture.ts';
import { connectChatSocket } from './support/chat-socket-client.ts';
import { answerOverHttp, serveDialects } from './support/serve-dialects.ts';
import { openToolEvents, untilFrame } from './support/tool-events-client.ts';
import { startStream, streamEvents } from './support/two-step-client.ts';

const chatsOf = async (url: string) =>
  (await (await fetch(`${url}/api/chat`)).json()).chats as { id: string }[];

/** A question that a dialect asked, and what its asker is told once somebody answered: `paid`, or `refused`. */
type Asked = { readonly approvalId: string; outcome(streamId: string | undefined): Promise<string> };

const askers: Record<string, (url: string) => Promise<Asked>> = {
  async A(url) {
    const frames = await openToolEvents(url, 'Pay', { acceptApprovals: true });
    const { approvalId } = await untilFrame(frames, 'approval_request');
    return {
      approvalId,
      async outcome() {
        const rest = await collect(frames);
        expect(rest.at(-1)?.type).toBe('message_end');
        return rest.some(({ type }) => type === 'tool_call_end') ? 'paid' : 'refused';
      },
    };
  },
  async B(url) {
    const { stream_id, chat_id } = await startStream(url, 'Pay');
    const question = (await streamEvents(url, stream_id)).find(({ type }) => type === 'approval_request');
    if (question?.type !== 'approval_request') throw new Error('Nothing was asked.');
    return {
      approvalId: question.data.approval_id,
      async outcome(streamId) {
        // Answered over HTTP the stream that goes on is named; answered elsewhere, the chat shows the outcome.
        if (streamId !== undefined) {
          const events = await streamEvents(url, streamId);
          expect(events.at(-1)).toEqual({ type: 'done', data: { reason: 'complete' } });
          return events.some(({ type }) => type === 'tool_response') ? 'paid' : 'refused';
        }
        const chat = async () => (await fetch(`${url}/api/chat/${chat_id}`)).json();
        await expect.poll(async () => (await chat()).run.status).toBe('idle');
        return JSON.stringify((await chat()).messages).includes('output-available') ? 'paid' : 'refused';
      },
    };
  },
  async D(url) {
    const client = await connectChatSocket(url);
    client.say('Pay');
    const { approval_id } = await client.frame('tool_approval_request');
    return {
      approvalId: approval_id,
      async outcome() {
        const frames = await client.complete();
        return frames.some(({ type }) => type === 'tool_complete') ? 'paid' : 'refused';
      },
    };
  },
  async 'the AI SDK stream'(url) {
    const client = await connectSse(url);
    const message = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Pay' }] };
    const chunks = await collect(await client.open({ id: 'sdk', trigger: 'submit-message', message }));
    return {
      approvalId: questionIn(chunks),
      async outcome() {
        const stream = await client.resume('sdk');
        const replay = stream ? await collect(stream) : [];
        return replay.some(({ type }) => type === 'tool-output-available') ? 'paid' : 'refused';
      },
    };
  },
};

/** Answers a question; gives `answered` or `too late`, and the stream to go on with, where there is one. */
type Answerer = (
  url: string,
  approvalId: string,
  approved: boolean,
) => Promise<{ result: string; streamId?: string }>;

const answerers: Record<string, Answerer> = {
  async 'A and B, over HTTP'(url, approvalId, approved) {
    const { status, body } = await answerOverHttp(url, approvalId, { approved });
    return status === 200 ? { result: 'answered', streamId: body.stream_id } : { result: 'too late' };
  },
  async 'D, by a frame'(url, approvalId, approved) {
    const client = await connectChatSocket(url);
    client.send({ type: 'tool_approval_response', approval_id: approvalId, approved });
    const frames = await client.until((all) => all.length > 0);
    const [first] = frames;
    const isLate = first?.type === 'error' && first.code === 'ALREADY_ANSWERED';
    return { result: isLate ? 'too late' : 'answered' };
  },
  async 'the AI SDK stream'(url, approvalId, approved) {
    const [chat] = await chatsOf(url);
    const client = await connectSse(url);
    const answers = [{ approvalId, approved }];
    const chunks = await collect(await client.open({ id: chat?.id, trigger: 'submit-message', answers }));
    const standing = chunks.find(({ type }) => type === 'tool-approval-response');
    const isStanding = standing?.type === 'tool-approval-response' && standing.approved !== approved;
    return { result: isStanding ? 'too late' : 'answered' };
  },
};

const pairs = Object.keys(askers).flatMap((asker) =>
  Object.keys(answerers).map((answerer) => ({ asker, answerer })),
);

describe('a question asked in one dialect and answered in another', () => {
  it.each(
    pairs.flatMap((pair) => [
      { ...pair, approved: true },
      { ...pair, approved: false },
    ]),
  )(
    'asked by $asker, answered by $answerer (approved: $approved): the first answer wins everywhere [A25, B18, D24]',
    async ({ asker, answerer, approved }) => {
      const { url, ran } = await serveDialects([
        [{ call: 'pay', id: 'pay', input: { to: 'Alice', amount: 30 } }],
        [{ text: 'So be it.' }],
      ]);
      const asked = await askers[asker]?.(url);
      if (!asked) throw new Error('There is no such asker.');
      const first = await answerers[answerer]?.(url, asked.approvalId, approved);
      expect(first?.result).toBe('answered');
      for (const other of Object.values(answerers)) {
        expect((await other(url, asked.approvalId, !approved)).result).toBe('too late');
      }
      expect(await asked.outcome(first?.streamId)).toBe(approved ? 'paid' : 'refused');
      expect(ran).toHaveLength(approved ? 1 : 0);
    },
  );
});
