import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from 'countersign/plugins/api-documents';
import { describe, expect, it } from 'vitest';
import { everyDialect } from '../../support/every-plugin.ts';
import { perTurn } from '../../support/per-turn.ts';
import { readResponsesFrames } from '../../support/responses-frames.ts';
import { responsesGateway } from '../../support/responses-gateway.ts';
import { connectChatSocket } from './support/chat-socket-client.ts';
import { serveDialects } from './support/serve-dialects.ts';
import { toolEvents } from './support/tool-events-client.ts';
import { startStream, streamEvents } from './support/two-step-client.ts';

const { schemas } = openApiDocument({ version: '0.0.0', dialects: everyDialect }).components;
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/** Why a value does not fit a schema of the document; `undefined` when it does. */
function fieldError(name: string, value: unknown): string | undefined {
  if (!(name in schemas)) return `The document has no ${name}.`;
  const fits = ajv.validate({ $ref: `#/$defs/${name}`, $defs: schemas }, value);
  return fits ? undefined : `${name}: ${ajv.errorsText()} in ${JSON.stringify(value)}`;
}

const script = [
  [{ text: 'Let me look.' }, { call: 'weather', input: { city: 'Oslo' } }, { call: 'nothing' }],
  [{ text: 'Sunny.' }],
];

describe('the OpenAPI document and the wire', () => {
  it('describes every frame that is sent, in each dialect [A17, B16, C14, D9]', async () => {
    const { url } = await serveDialects(perTurn(script));
    const ofA = await toolEvents(url, 'Weather?');
    const ofB = await streamEvents(url, (await startStream(url, 'Weather?')).stream_id);
    const client = await connectChatSocket(url);
    client.say('Weather?');
    const ofD = await client.complete();
    const gateway = await responsesGateway(perTurn(script.slice(1)));
    const { events: ofC } = await readResponsesFrames(
      await gateway.post({ input: 'Weather?', stream: true }),
    );

    expect(Math.min(ofA.length, ofB.length, ofC.length, ofD.length)).toBeGreaterThan(4);
    const fieldErrors = [
      ...ofA.map((frame) => fieldError(`tool-events.${frame.type}`, frame)),
      ...ofB.map(({ type, data }) => fieldError(`two-step-stream.${type}`, data)),
      ...ofC.map((event) => fieldError(event.type, event)),
      ...ofD.map((frame) => fieldError('chat-socket.server', frame)),
    ];
    expect(fieldErrors.filter(Boolean)).toEqual([]);
  });

  it('reports a frame that does not match [B16, C14]', async () => {
    const { url } = await serveDialects(perTurn(script));
    const [start] = await toolEvents(url, 'Weather?');
    expect(fieldError('tool-events.message_start', start)).toBeUndefined();
    expect(fieldError('tool-events.message_start', { ...start, messageId: undefined })).toContain(
      'messageId',
    );
    expect(fieldError('tool-events.shout', start)).toContain('no tool-events.shout');
  });
});
