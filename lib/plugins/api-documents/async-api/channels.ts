import type { AsyncApiPart } from '../../../server/documents/async-api.ts';
import type { JsonSchema } from '../../../server/documents/operations.ts';
import { messagesOf } from './messages.ts';

/** The channels by name. */
export function channelsOf({ groups, channels }: AsyncApiPart): Record<string, { address: string }> {
  return Object.fromEntries(
    Object.entries(channels).map(([name, { address, description, method, sends, receives }]) => {
      const parameters = [...address.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => [parameter, {}]);
      return [
        name,
        {
          address,
          description,
          servers: [{ $ref: `#/servers/${receives ? 'socket' : 'http'}` }],
          messages: messagesOf(groups, sends, ...(receives ? [receives] : [])),
          parameters: parameters.length > 0 ? Object.fromEntries(parameters) : undefined,
          bindings: receives ? { ws: { method } } : undefined,
        },
      ];
    }),
  );
}

/** What the server does with each channel, by name. */
export function operationsOf({ groups, channels }: AsyncApiPart): Record<string, JsonSchema> {
  function operation(channel: string, action: 'send' | 'receive', group: string, more: JsonSchema = {}) {
    const messages = Object.keys(messagesOf(groups, group)).map((name) => ({
      $ref: `#/channels/${channel}/messages/${name}`,
    }));
    return { action, channel: { $ref: `#/channels/${channel}` }, messages, ...more };
  }
  return Object.fromEntries(
    Object.entries(channels).flatMap(([name, { method, sends, receives }]) => [
      [`${name}.send`, operation(name, 'send', sends, receives ? {} : { bindings: { http: { method } } })],
      ...(receives ? [[`${name}.receive`, operation(name, 'receive', receives)] as const] : []),
    ]),
  );
}
