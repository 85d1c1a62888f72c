import { z } from 'zod';
import { metadataType } from './message.ts';
import type { SlackApi } from './slack-api.ts';

const hour = 3_600_000;
/** How far the clocks of this server and of Slack may differ. */
const skewMs = 60_000;
const pageSize = 200;
/** After so many pages the search ends: 2,000 messages. */
const mostPages = 10;

const pageSchema = z.object({
  messages: z.array(
    z.object({
      ts: z.string(),
      bot_id: z.string().optional(),
      metadata: z
        .object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) })
        .optional()
        .catch(undefined),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** Where a question's messages can be. */
type Search = {
  readonly channel: string;
  /** The id of the question. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly requestedAt: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The id of this app's bot: other apps can write the same metadata. */
  readonly botId: string;
};

/**
 * Finds the messages of a question in the channel, by their metadata. Nothing has to be stored for this, and a message that was posted
 * right before a crash is found. Usually there is one. The first hour after the question is searched first.
 *
 * @returns their `ts`, oldest first
 * @throws SlackError
 * @source ADR 0051.2
 */
export async function findMessages(
  api: SlackApi,
  search: Search,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { requestedAt, now } = search;
  const first = requestedAt - skewMs;
  const early = await searchBetween(api, search, [first, requestedAt + hour], signal);
  if (early.length > 0 || now <= requestedAt + hour) return early;
  return searchBetween(api, search, [requestedAt + hour, now + skewMs], signal);
}

async function searchBetween(
  api: SlackApi,
  { channel, id, botId }: Search,
  [oldest, latest]: readonly [number, number],
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const args = {
      channel,
      include_all_metadata: true,
      limit: pageSize,
      oldest: oldest / 1_000,
      latest: latest / 1_000,
      inclusive: true,
      ...(cursor !== undefined && { cursor }),
    };
    const { messages, response_metadata: rest } = pageSchema.parse(
      await api('conversations.history', args, signal),
    );
    const own = messages.filter(
      ({ bot_id: bot, metadata }) =>
        bot === botId && metadata?.event_type === metadataType && metadata.event_payload.question === id,
    );
    found.push(...own.map(({ ts }) => ts));
    cursor = rest?.next_cursor;
    if (!cursor) break;
  }
  return found.sort();
}
