import { ref } from '../../server/openapi/operations.ts';

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** The requests that a webhook of the app sends. @source ADR 0043 */
export const webhooks = {
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
