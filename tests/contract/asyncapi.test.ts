import { readFileSync } from 'node:fs';
import schema from '@asyncapi/specs/schemas/3.0.0.json' with { type: 'json' };
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { Dialect } from 'countersign/http/server';
import { asyncApiDocument, openApiDocument } from 'countersign/plugins/api-documents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operation } from '../../lib/server/documents/operations.ts';
import { everyDialect } from '../support/every-plugin.ts';

const document = asyncApiDocument({ version: '0.0.0', dialects: everyDialect });
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);

/** Whether a frame is a message of a channel's direction, as a client generated from the document would check it. */
function fits(group: string, frame: unknown): boolean {
  const payloads = Object.entries(document.components.messages)
    .filter(([name]) => name.startsWith(`${group}.`))
    .map(([, { payload }]) => payload);
  return ajv.validate({ anyOf: payloads }, frame);
}

/** The frames of a recorded conversation over a socket, by direction. */
function recordedFrames(page: string, name: string): { sent: unknown[]; received: unknown[] } {
  const text = readFileSync(`docs/protocol/${page}`, 'utf8');
  const block = text.split(`<!-- recorded: ${name} -->`)[1]?.split('```')[1] ?? '';
  const framesAfter = (arrow: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(arrow))
      .map((line) => JSON.parse(line.slice(2)));
  return { sent: framesAfter('→'), received: framesAfter('←') };
}

describe('the AsyncAPI document', () => {
  it('passes the official schema of AsyncAPI 3 [C14]', () => {
    // It contains JSON Schema's own schema.
    const official = new Ajv({ strict: false, allErrors: true, meta: false, validateSchema: false });
    addFormats.default(official);
    official.validate(schema, JSON.parse(JSON.stringify(document)));
    expect(official.errors ?? []).toEqual([]);
    expect(official.validate(schema, { ...document, asyncapi: '4.0.0' })).toBe(false);
  });

  it('has the channels of the dialects of a server, and the OpenAPI document has their paths', () => {
    const echo: Dialect = {
      name: 'echo',
      openApi: { schemas: {}, paths: { '/api/echo': { get: operation('echo', 'Echo', {}) } } },
      asyncApi: {
        groups: { echo: { payloads: { said: z.string() } } },
        channels: { echo: { address: '/api/echo', description: 'Echo', method: 'GET', sends: 'echo' } },
      },
    };
    const described = (dialects: readonly Dialect[]) => [
      '/api/echo' in openApiDocument({ version: '1', dialects }).paths,
      'echo' in asyncApiDocument({ version: '1', dialects }).channels,
    ];
    expect(described([echo])).toEqual([true, true]);
    expect(described([])).toEqual([false, false]);
  });

  it('has no reference that leads nowhere', () => {
    const plain = JSON.parse(JSON.stringify(document));
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"(#\/[^"]+)"/g)].map(([, to]) => to);
    const lost = references.filter(
      (to) =>
        to
          ?.slice(2)
          .split('/')
          .reduce((at, key) => at?.[key], plain) === undefined,
    );
    expect(references.length).toBeGreaterThan(50);
    expect(lost).toEqual([]);
  });

  it('has a channel for each event stream and socket of the OpenAPI document, and for the socket of the AI SDK [C14, H3, H11]', () => {
    const streams = Object.entries(openApiDocument({ version: '0.0.0', dialects: everyDialect }).paths)
      .filter(([, operations]) => /text\/event-stream|"101"/.test(JSON.stringify(operations)))
      .map(([path]) => path);
    const addresses = Object.values(document.channels).map(({ address }) => address);
    expect(addresses.sort()).toEqual([...streams, '/api/chat/socket'].sort());
  });

  it.each([
    { page: 'http-and-socket.md', name: 'socket', group: 'bidi' },
    { page: 'chat-socket.md', name: 'chat-socket', group: 'chat-socket' },
    { page: 'chat-socket.md', name: 'chat-socket-denied', group: 'chat-socket' },
    { page: 'chat-socket.md', name: 'chat-socket-failed', group: 'chat-socket' },
  ])('describes the frames of the recorded $name, in both directions [H3, D2]', ({ page, name, group }) => {
    const { sent, received } = recordedFrames(page, name);
    expect(sent.length * received.length).toBeGreaterThan(0);
    expect(sent.filter((frame) => !fits(`${group}.client`, frame))).toEqual([]);
    expect(received.filter((frame) => !fits(`${group}.server`, frame))).toEqual([]);
    expect(fits(`${group}.server`, { type: 'shout' })).toBe(false);
  });
});
