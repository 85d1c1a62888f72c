import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from 'countersign/plugins/api-documents';
import { describe, expect, it } from 'vitest';
import { everyDialect } from '../../support/every-plugin.ts';
import { perTurn } from '../../support/per-turn.ts';
import { responsesGateway } from '../../support/responses-gateway.ts';
import { jsonHeaders, serveDialects } from './support/serve-dialects.ts';
import { postToolEvents } from './support/tool-events-client.ts';
import { getStream, startStream } from './support/two-step-client.ts';

const document = JSON.parse(JSON.stringify(openApiDocument({ version: '0.0.0', dialects: everyDialect })));
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const script = [
  [{ text: 'Let me look.' }, { call: 'weather', input: { city: 'Oslo' } }],
  [{ text: 'Sunny.' }],
];

/** What is wrong with an answer, by the document; `undefined` if it is declared and fits. */
function fieldError(operation: string, status: number, mediaType: string, body: unknown): string | undefined {
  const [method = '', path = ''] = operation.split(' ');
  const declared = document.paths[path][method].responses[status]?.content?.[mediaType];
  if (!declared) return `${operation} has no ${status} ${mediaType}.`;
  const { components } = document;
  return ajv.validate({ ...declared.schema, components }, body) ? undefined : ajv.errorsText();
}

/** The frames of a stream by the names of their lines. */
async function framesOf(response: Response): Promise<Record<string, string>[]> {
  const frames = (await response.text()).trimEnd().split('\n\n');
  return frames.map((frame) =>
    Object.fromEntries(frame.split('\n').map((line) => line.split(/: (.*)/).slice(0, 2))),
  );
}

describe('the operations of the OpenAPI document', () => {
  it('have a declared tag each, and name who may use them by declared schemes [C14, H-Identity]', () => {
    const tags = document.tags.map(({ name }: { name: string }) => name);
    const operations = Object.values<Record<string, { tags: string[]; security?: unknown[] }>>(
      document.paths,
    ).flatMap(({ parameters: _shared, ...methods }) => Object.values(methods));
    expect(operations.length).toBeGreaterThan(25);
    expect(operations.filter((operation) => !tags.includes(operation.tags[0]))).toEqual([]);
    expect(operations.filter(({ security }) => security?.length === 0)).toHaveLength(2);
    const schemes = document.security.flatMap((one: object) => Object.keys(one));
    expect(schemes).toEqual(Object.keys(document.components.securitySchemes));
    expect(document.servers).toEqual([expect.objectContaining({ url: '/' })]);
  });

  it('declare the header Idempotency-Key where it counts [C14]', async () => {
    const gateway = await responsesGateway(perTurn([[{ text: 'Hello.' }]]));
    const headers = { 'idempotency-key': 'once' };
    const [one, other] = await Promise.all(
      [0, 1].map(async () => (await gateway.post({ input: 'Hi' }, headers)).json()),
    );
    expect(one.id).toBe(other.id);
    const { parameters } = document.paths['/v1/responses'].post;
    expect(parameters).toMatchObject([{ in: 'header', name: 'Idempotency-Key' }]);
  });

  it('declare each refusal with its status and form [C16, H-Errors]', async () => {
    const { url } = await serveDialects(perTurn(script));
    const gateway = await responsesGateway(perTurn(script));
    const ask = (path: string, body?: object) =>
      fetch(`${url}${path}`, body && { method: 'POST', headers: jsonHeaders(), body: JSON.stringify(body) });
    const approval = '/api/approvals/apr_0000000000000000000099';
    const asked: [operation: string, status: number, response: Response][] = [
      ['post /api/chat', 400, await ask('/api/chat', {})],
      ['get /api/chat/{chatId}', 404, await ask('/api/chat/unknown')],
      ['post /api/approvals/{approvalId}', 404, await ask(approval, { approved: true })],
      ['post /api/approvals/{approvalId}', 400, await ask(approval, {})],
      ['post /api/dialects/tool-events', 400, await ask('/api/dialects/tool-events', {})],
      ['get /api/dialects/tool-events', 404, await ask('/api/dialects/tool-events?conversationId=unknown')],
      ['post /api/chat/message', 404, await ask('/api/chat/message', { message: 'Hi', chat_id: 'unknown' })],
      ['get /api/chat/stream/{streamId}', 404, await ask('/api/chat/stream/unknown')],
      ['post /v1/responses', 400, await gateway.post({})],
      ['post /v1/responses', 404, await gateway.post({ input: 'Hi', conversation: 'unknown' })],
      ['post /v1/responses', 401, await gateway.post({ input: 'Hi' }, { authorization: '' })],
    ];
    for (const [operation, status, response] of asked) {
      expect([operation, response.status]).toEqual([operation, status]);
      expect(fieldError(operation, status, 'application/json', await response.json())).toBeUndefined();
    }
    const wrong = { error: { code: 'paused', message: 'No.' } };
    expect(fieldError('get /api/chat/stream/{streamId}', 404, 'application/json', wrong)).toContain(
      'allowed',
    );
  });

  it('declare the lines of the frames of each event stream [A17, B16, C14]', async () => {
    const { url } = await serveDialects(perTurn(script));
    const gateway = await responsesGateway(perTurn(script.slice(1)));
    const { stream_id } = await startStream(url, 'Weather?');
    const message = { id: 'user-1', role: 'user', parts: [{ type: 'text', text: 'Weather?' }] };
    const body = JSON.stringify({ id: 'chat', message });
    const streams: [operation: string, response: Response][] = [
      ['post /api/chat', await fetch(`${url}/api/chat`, { method: 'POST', headers: jsonHeaders(), body })],
      ['post /api/dialects/tool-events', await postToolEvents(url, 'Weather?')],
      ['get /api/chat/stream/{streamId}', await getStream(url, stream_id)],
      ['post /v1/responses', await gateway.post({ input: 'Weather?', stream: true })],
    ];
    for (const [operation, response] of streams) {
      const frames = await framesOf(response);
      expect(frames.length).toBeGreaterThan(4);
      expect(fieldError(operation, 200, 'text/event-stream', frames)).toBeUndefined();
      expect(fieldError(operation, 200, 'text/event-stream', [{ event: 'shout' }])).toBeDefined();
    }
  });
});
