import { WebSocket } from 'node:http';
import { CannotCheck } from '../../cli/check/cannot-check.ts';
import type {
  CheckedDialect,
  DialectFrame,
  DialectProbe,
  Meaning,
} from '../../cli/check/dialects/checked-dialect.ts';
import { frameFaults } from '../../cli/check/dialects/read-stream.ts';
import type { Session } from '../../cli/check/dialects/session.ts';
import { isRecord, parseJson } from '../../protocol/index.ts';
import { serverFrameSchemas } from './client/schema.ts';

const path = '/api/dialects/chat-socket';

/** The chat socket: a turn goes on over the same connection. @source D4, D6, D7, D10, D13, D17, D24, D26 */
export const chatSocket: CheckedDialect = {
  name: 'chat-socket',
  rules: { form: 'D6', pairs: 'D7', last: 'D10', question: 'D24' },
  failsUnstarted: true,
  meaningOf,
  async play(session, prompt, approved) {
    const message = { type: 'message', content: prompt, accept_approvals: true };
    const frames = await talk(session, message, (frame, send) => {
      const meaning = meaningOf(frame);
      if (meaning?.kind === 'question') {
        send({ type: 'tool_approval_response', approval_id: meaning.approvalId, approved });
      }
      return meaning?.kind === 'last';
    });
    const faults = frames.flatMap((frame) => frameFaults(frame, serverFrameSchemas));
    const chatId = frames.at(-1)?.data.conversation_id;
    return {
      prompt,
      approved,
      streams: [frames],
      faults,
      chatId: typeof chatId === 'string' ? chatId : undefined,
    };
  },
  probes: [savedConversation(), malformedFrame(), lateAnswer()],
};

function meaningOf({ type, data }: DialectFrame): Meaning | undefined {
  const callId = String(data.tool_call_id);
  switch (type) {
    case 'token':
      return { kind: 'text', text: String(data.content) };
    case 'tool_start':
      return { kind: 'start', callId };
    case 'tool_complete':
      return { kind: 'end', callId };
    case 'tool_approval_request':
      return { kind: 'question', approvalId: String(data.approval_id), callId };
    case 'complete':
      return { kind: 'last', failed: false };
    case 'error':
      if (data.tool_call_id !== undefined) return { kind: 'failure', callId };
      return data.code === 'LLM_ERROR' ? { kind: 'last', failed: true } : undefined;
    default:
      return undefined;
  }
}

/** Sends a frame over a new socket, and reads until `isEnough` or its end. @throws CannotCheck if nothing arrives */
function talk(
  { url, headers, budget }: Session,
  first: object | string,
  isEnough: (frame: DialectFrame, send: (frame: object) => void) => boolean,
): Promise<DialectFrame[]> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, { headers: { ...headers } });
  const signal = budget.take();
  const frames: DialectFrame[] = [];
  const send = (frame: object | string) =>
    socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  return new Promise<DialectFrame[]>((resolve, reject) => {
    const fail = (why: string) => {
      if (frames.length > 0) resolve(frames);
      else reject(new CannotCheck(`${why} Is the server running at this address?`));
    };
    signal.addEventListener('abort', () => fail('The socket sent nothing in time.'));
    socket.addEventListener('open', () => send(first));
    socket.addEventListener('error', () => fail('The socket could not be opened.'));
    socket.addEventListener('close', () => fail('The socket was closed.'));
    socket.addEventListener('message', ({ data: text }) => {
      const data = parseJson(String(text));
      const frame = isRecord(data) ? { type: String(data.type), data } : { type: 'mark', data: { text } };
      frames.push(frame);
      if (isEnough(frame, send)) resolve(frames);
    });
  }).finally(() => socket.close());
}

function savedConversation(): DialectProbe {
  return {
    rule: 'D17',
    title: 'the conversation is saved under the ids of `complete`',
    async run(session, { streams, chatId }) {
      if (chatId === undefined) return { violations: ['`complete` names no conversation'] };
      const { status, body } = await session.ask(`/api/chat/${encodeURIComponent(chatId)}`);
      const messageId = String(streams.flat().at(-1)?.data.message_id);
      const isSaved = JSON.stringify(body).includes(JSON.stringify(messageId));
      return {
        violations: status === 200 && isSaved ? [] : [`message ${messageId} is not there (${status})`],
      };
    },
  };
}

function malformedFrame(): DialectProbe {
  return {
    rule: 'D26',
    title: 'a malformed frame gets INVALID_FORMAT, and the socket stays open',
    async run(session) {
      let isRefused = false;
      await talk(session, 'no JSON', ({ type, data }, send) => {
        if (data.code === 'INVALID_FORMAT') isRefused = true;
        if (type === 'error') send({ type: 'ping' });
        return type === 'pong';
      });
      return { violations: isRefused ? [] : ['the answer was another one'] };
    },
  };
}

function lateAnswer(): DialectProbe {
  return {
    rule: 'D24',
    title: 'a second answer gets ALREADY_ANSWERED',
    rank: 'unsafe',
    async run(session, { streams, approved }) {
      const question = streams
        .flat()
        .map(meaningOf)
        .find((meaning) => meaning?.kind === 'question');
      if (question?.kind !== 'question') return { note: 'nothing was asked' };
      const answer = {
        type: 'tool_approval_response',
        approval_id: question.approvalId,
        approved: !approved,
      };
      const [frame] = await talk(session, answer, () => true);
      const code = String(frame?.data.code ?? frame?.type);
      return { violations: code === 'ALREADY_ANSWERED' ? [] : [`the answer was ${code}`] };
    },
  };
}
