import { createOpenAI } from '@ai-sdk/openai';
import { requestBody } from '../../../support/openai-rules.ts';
import type { ResponseItem } from '../../../support/openai-script.ts';
import { itemEvents, responseEvent, wireItem } from '../../../support/openai-wire.ts';
import { firstIssue } from '../first-issue.ts';
import type { Provider, Service } from '../provider.ts';
import { idAt, type Piece } from '../reply.ts';
import { faultOfResponses, responsesBody } from './rules.ts';

/** OpenAI Responses: the service keeps its items, and requests refer to them. */
export const responsesStored = responses('OpenAI Responses, stored', true);

/** OpenAI Responses with `store: false`: requests repeat all items, with encrypted reasoning. */
export const responsesEncrypted = responses('OpenAI Responses, encrypted', false);

function responses(name: string, isStored: boolean): Provider {
  return {
    name,
    packageName: '@ai-sdk/openai',
    modelAt: (baseURL) => createOpenAI({ apiKey: 'test-key', baseURL }).responses('gpt-5-mini'),
    ...(isStored ? {} : { settings: { providerOptions: { openai: { store: false } } } }),
    open(): Service {
      const stored = new Map<string, string>();
      const encrypted = new Set<string>();
      return {
        faultOf(body) {
          const parsed = responsesBody.safeParse(body);
          if (!parsed.success) return firstIssue(parsed.error);
          return faultOfResponses(requestBody.parse(body), { stored, encrypted });
        },
        reply(pieces, number, body) {
          const { store, include, model } = requestBody.parse(body);
          const withEncrypted = include?.includes('reasoning.encrypted_content') === true;
          const secret = `encrypted-${number}`;
          encrypted.add(secret);
          const thought: ResponseItem = {
            reasoning: [`Thought ${number}.`],
            id: `rs_${number}`,
            encrypted: secret,
          };
          const items = [thought, ...pieces.map((piece, index) => itemOf(piece, `${number}-${index}`))];
          const output = items.map((item) => wireItem(item, withEncrypted));
          if (store !== false) for (const item of output) stored.set(item.id, item.type);
          const head = { id: `resp_${number}`, model };
          const first = [
            responseEvent('response.created', head),
            ...items.flatMap((item, index) => itemEvents(item, index, withEncrypted)),
          ];
          const last = [responseEvent('response.completed', { ...head, output })];
          const event = (data: { readonly type: string }) => ({ name: data.type, data });
          return { first: first.map(event), last: last.map(event) };
        },
        error: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
      };
    },
  };
}

function itemOf(piece: Piece, place: string): ResponseItem {
  if ('text' in piece) return { text: piece.text, id: idAt(place, { length: 12, prefix: 'msg_' }) };
  const callId = piece.id ?? idAt(place, { length: 24, prefix: 'call_' });
  return { call: piece.call, id: idAt(place, { length: 12, prefix: 'fc_' }), callId, input: piece.input };
}
