import { CannotCheck } from '../../cli/check/cannot-check.ts';
import type {
  CheckedDialect,
  DialectFrame,
  DialectProbe,
  DialectTurn,
  Meaning,
} from '../../cli/check/dialects/checked-dialect.ts';
import { frameFaults, readStream } from '../../cli/check/dialects/read-stream.ts';
import { malformedProbe, refused } from '../../cli/check/dialects/refusal-probes.ts';
import { answerOverHttp, type Session } from '../../cli/check/dialects/session.ts';
import { streamEventSchemas } from './client/schema.ts';

const path = '/api/chat/message';
const pathOf = (streamId: string) => `/api/chat/stream/${encodeURIComponent(streamId)}`;

/** The two-step stream: each stream ends with `done`, also at a question. @source B1-B3, B8, B12, B17, B18 */
export const twoStep: CheckedDialect = {
  name: 'two-step',
  rules: { form: 'B3', pairs: 'B12', last: 'B8', question: 'B18' },
  failsUnstarted: false,
  meaningOf,
  async play(session, prompt, approved) {
    const { status, body } = await session.ask(path, { message: prompt });
    if (typeof body.stream_id !== 'string') throw new CannotCheck(`No stream was named: ${status}.`);
    const streams: DialectFrame[][] = [];
    let streamId: unknown = body.stream_id;
    while (typeof streamId === 'string') {
      const frames = await framesOf(session, streamId);
      streams.push(frames);
      const question = frames.map(meaningOf).find((meaning) => meaning?.kind === 'question');
      streamId = undefined;
      if (question?.kind === 'question') {
        streamId = (await answerOverHttp(session, question.approvalId, approved)).body.stream_id;
      }
    }
    const all = streams.flat();
    const faults = all.flatMap((frame) => frameFaults(frame, streamEventSchemas));
    if (all.some(({ id }) => id === undefined)) faults.push('a frame has no id');
    return { prompt, approved, streams, faults, chatId: body.stream_id };
  },
  probes: [resumed(), unknownStream(), malformedProbe('B1', path)],
};

function meaningOf({ type, data }: DialectFrame): Meaning | undefined {
  const callId = String(data.tool_call_id);
  switch (type) {
    case 'message_chunk':
      return { kind: 'text', text: String(data.text) };
    case 'tool_call':
      return { kind: 'start', callId };
    case 'tool_response':
      return { kind: 'end', callId };
    case 'error':
      return data.tool_call_id ? { kind: 'failure', callId } : undefined;
    case 'approval_request':
      return { kind: 'question', approvalId: String(data.approval_id), callId };
    case 'done':
      return { kind: 'last', failed: data.reason === 'error' };
    default:
      return undefined;
  }
}

async function framesOf(session: Session, streamId: string, lastEventId?: string): Promise<DialectFrame[]> {
  const headers = {
    'accept-approvals': '1',
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  return Array.fromAsync(readStream(await session.send(pathOf(streamId), { headers })));
}

/** The first stream of a turn, which `chatId` names. */
function resumed(): DialectProbe {
  return {
    rule: 'B17',
    title: 'a stream is resumed after any frame, and 204 after its last',
    async run(session, { streams: [first = []], chatId = '' }: DialectTurn) {
      const places = [0, Math.floor(first.length / 2) - 1].filter((place) => place >= 0);
      const violations: string[] = [];
      for (const place of new Set(places)) {
        const rest = await framesOf(session, chatId, first[place]?.id);
        const same = JSON.stringify(rest) === JSON.stringify(first.slice(place + 1));
        if (!same) violations.push(`after frame ${place + 1}, other frames follow than before`);
      }
      const { status } = await session.send(pathOf(chatId), {
        headers: { 'accept-approvals': '1', 'last-event-id': first.at(-1)?.id ?? '' },
      });
      if (status !== 204) violations.push(`after the last frame, the answer is ${status}, not 204`);
      return { violations };
    },
  };
}

function unknownStream(): DialectProbe {
  return {
    rule: 'B2',
    title: 'an unknown stream is refused with 404',
    run: async (session) => refused(await session.ask(pathOf('no-such-stream')), 404),
  };
}
