import type {
  CheckedDialect,
  DialectFrame,
  DialectProbe,
  Meaning,
} from '../../cli/check/dialects/checked-dialect.ts';
import { frameFaults, readStream } from '../../cli/check/dialects/read-stream.ts';
import { malformedProbe } from '../../cli/check/dialects/refusal-probes.ts';
import { answerOverHttp } from '../../cli/check/dialects/session.ts';
import { toolEventSchemas } from './client/schema.ts';

const path = '/api/dialects/tool-events';

/** The tool events: one response is a whole turn, and answers are given beside it. @source A1, A12, A13, A20, A25, A26 */
export const toolEvents: CheckedDialect = {
  name: 'tool-events',
  rules: { form: 'A1', pairs: 'A12', last: 'A13', question: 'A25' },
  failsUnstarted: false,
  meaningOf,
  async play(session, prompt, approved) {
    const headers = { 'accept-approvals': '1' };
    const response = await session.send(path, { body: { message: prompt }, headers });
    const frames: DialectFrame[] = [];
    const faults: string[] = [];
    for await (const frame of readStream(response)) {
      frames.push(frame);
      faults.push(...frameFaults(frame, toolEventSchemas));
      const meaning = meaningOf(frame);
      if (meaning?.kind === 'question') await answerOverHttp(session, meaning.approvalId, approved);
    }
    if (frames[0]?.type !== 'message_start') faults.push(`the first frame is ${frames[0]?.type}`);
    const chatId = String(frames[0]?.data.conversationId ?? '');
    return { prompt, approved, streams: [frames], faults, chatId };
  },
  probes: [storedTurn(), malformedProbe('A26', path)],
};

function meaningOf({ type, data }: DialectFrame): Meaning | undefined {
  const callId = String(data.toolCallId);
  switch (type) {
    case 'text_delta':
      return { kind: 'text', text: String(data.content) };
    case 'tool_call_start':
      return { kind: 'start', callId };
    case 'tool_call_end':
      return { kind: 'end', callId };
    case 'tool_call_error':
      return { kind: 'failure', callId };
    case 'approval_request':
      return { kind: 'question', approvalId: String(data.approvalId), callId };
    case 'message_end':
      return { kind: 'last', failed: false };
    case 'error':
      return { kind: 'last', failed: true };
    default:
      return undefined;
  }
}

function storedTurn(): DialectProbe {
  return {
    rule: 'A20',
    title: 'the stored conversation has the text and the calls of the stream',
    async run(session, { streams, chatId = '' }) {
      const { status, body } = await session.ask(`${path}?conversationId=${encodeURIComponent(chatId)}`);
      if (status !== 200) return { violations: [`the answer was ${status}`] };
      const stored = JSON.stringify(body.messages ?? '');
      const missing = streams.flat().flatMap((frame) => {
        const meaning = meaningOf(frame);
        return meaning?.kind === 'start' && !stored.includes(JSON.stringify(meaning.callId))
          ? [meaning.callId]
          : [];
      });
      const text = streams.flat().map((frame) => (frame.type === 'text_delta' ? frame.data.content : ''));
      const last = JSON.stringify(String(text.at(-2) ?? '').trim()).slice(1, -1);
      return {
        violations: [
          ...missing.map((id) => `call ${id} is not stored`),
          ...(stored.includes(last) ? [] : ['the text is not stored']),
        ],
      };
    },
  };
}
