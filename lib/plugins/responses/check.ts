import type {
  CheckedDialect,
  DialectFrame,
  DialectProbe,
  Meaning,
} from '../../cli/check/dialects/checked-dialect.ts';
import { frameFaults, readStream } from '../../cli/check/dialects/read-stream.ts';
import { malformedProbe, refused } from '../../cli/check/dialects/refusal-probes.ts';
import type { Session } from '../../cli/check/dialects/session.ts';
import { isRecord } from '../../protocol/index.ts';
import { responseEventSchemas } from './client/schema/event-schema.ts';

const path = '/v1/responses';
const schemas = Object.fromEntries(responseEventSchemas.map((schema) => [schema.shape.type.value, schema]));
const ends = ['response.completed', 'response.incomplete', 'response.failed'];

/** The Responses gateway: a response ends with a question, the next one begins with its call. @source C5, C8, C12, C16, C18 */
export const responses: CheckedDialect = {
  name: 'responses',
  rules: { form: 'C5', pairs: 'C8', last: 'C12', question: 'C18' },
  failsUnstarted: false,
  meaningOf,
  async play(session, prompt, approved) {
    const streams: DialectFrame[][] = [];
    const faults: string[] = [];
    let body: object | undefined = { input: prompt };
    while (body) {
      const frames: DialectFrame[] = await request(session, body);
      streams.push(frames);
      faults.push(...faultsOf(frames));
      const id = questionIn(frames);
      const [previous_response_id] = [responseOf(frames)?.id];
      body = id === undefined ? undefined : { previous_response_id, input: [answer(id, approved)] };
    }
    return { prompt, approved, streams, faults, chatId: questionIn(streams[0] ?? []) };
  },
  probes: [lateAnswer(), malformedProbe('C16', path)],
};

const answer = (id: string, approve: boolean) => ({
  type: 'mcp_approval_response',
  approval_request_id: id,
  approve,
});

async function request(session: Session, body: object): Promise<DialectFrame[]> {
  const response = await session.send(path, { body: { model: 'countersign', stream: true, ...body } });
  return Array.fromAsync(readStream(response));
}

/** A call is known by its question, because its item has another id. */
function meaningOf({ type, data }: DialectFrame): Meaning | undefined {
  const item = isRecord(data.item) ? data.item : {};
  const callId = String(item.approval_request_id ?? item.id);
  switch (type) {
    case 'response.output_text.delta':
      return { kind: 'text', text: String(data.delta) };
    case 'response.output_item.added':
      return String(item.type).endsWith('_call') ? { kind: 'start', callId } : undefined;
    case 'response.output_item.done':
      if (item.type === 'mcp_approval_request') {
        return { kind: 'question', approvalId: String(item.id), callId: String(item.id) };
      }
      if (!String(item.type).endsWith('_call')) return undefined;
      return { kind: item.status === 'failed' ? 'failure' : 'end', callId };
    default:
      return ends.includes(type) ? { kind: 'last', failed: type === 'response.failed' } : undefined;
  }
}

function responseOf(frames: readonly DialectFrame[]) {
  const response = frames.findLast(({ type }) => ends.includes(type))?.data.response;
  return isRecord(response) ? response : undefined;
}

function questionIn(frames: readonly DialectFrame[]): string | undefined {
  const question = frames.map(meaningOf).find((meaning) => meaning?.kind === 'question');
  return question?.kind === 'question' ? question.approvalId : undefined;
}

function faultsOf(frames: readonly DialectFrame[]): string[] {
  const events = frames.filter(({ type }) => type !== 'mark');
  const gap = events.findIndex(({ data }, index) => data.sequence_number !== index);
  const renamed = events.find(({ type, data }) => data.type !== type);
  return [
    ...events.flatMap((frame) => frameFaults(frame, schemas)),
    ...(gap === -1
      ? []
      : [`event ${gap} has the sequence_number ${String(events[gap]?.data.sequence_number)}`]),
    ...(renamed ? [`the event ${renamed.type} has the type ${String(renamed.data.type)}`] : []),
    ...(frames.at(-1)?.data.text === '[DONE]' ? [] : ['the stream ends without [DONE]']),
  ];
}

function lateAnswer(): DialectProbe {
  return {
    rule: 'C18',
    title: 'another answer to the same question is refused with 409',
    rank: 'unsafe',
    async run(session, { chatId, approved }) {
      if (chatId === undefined) return { note: 'nothing was asked' };
      return refused(
        await session.ask(path, { model: 'countersign', input: [answer(chatId, !approved)] }),
        409,
      );
    },
  };
}
