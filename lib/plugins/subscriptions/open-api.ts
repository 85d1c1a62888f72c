import type { OpenApiPart } from '../../flow/plugin/open-api.ts';
import { subscriptionEventSchema } from '../../protocol/wire/subscription-event.ts';
import { cursor, inPath, json, noContent, operation, ref } from '../../server/documents/operations.ts';
import { deliveriesSchema } from './endpoints.ts';

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** The requests that a webhook of the app sends. */
const webhooks = {
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'An event, signed as the Standard Webhooks specification says',
      security: [],
      parameters: [
        header('webhook-id', 'The id of the event, the same for each attempt.'),
        header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.'),
        header('webhook-signature', 'One or more signatures, separated by spaces.'),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: ref('SubscriptionEvent') } } },
      responses: {
        '2XX': { description: 'The event was received.' },
        410: { description: 'The event is not sent again.' },
        default: { description: 'The event is sent again, not before the time in `retry-after`.' },
      },
    },
  },
};

/** What the OpenAPI document says about deliveries and webhooks. @source ADR 0043 */
export const subscriptionsOpenApi: OpenApiPart = {
  webhooks,
  schemas: { Deliveries: deliveriesSchema, SubscriptionEvent: subscriptionEventSchema },
  paths: {
    '/api/operations/deliveries': {
      get: operation(
        'listDeliveries',
        'Events that a subscriber did not get, last given up first, for people with the right',
        { 200: json('A page.', ref('Deliveries')) },
        { parameters: [cursor], refusals: ['not-found'] },
      ),
    },
    '/api/operations/deliveries/{subscriber}/{eventId}': {
      parameters: [inPath('subscriber'), inPath('eventId')],
      post: operation('redeliver', 'Send an event again that was given up', { 204: noContent }),
    },
  },
};
