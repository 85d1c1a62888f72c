import { z } from 'zod';
import { isSameJson } from '../../protocol/index.ts';
import type { SlackMetadata } from './message.ts';
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
  /** The metadata that they have. */
  readonly metadata: SlackMetadata;
  /** When the message was posted at the earliest. Epoch milliseconds. */
  readonly since: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The id of this app's bot: other apps can write the same metadata. */
  readonly botId: string;
};

/**
 * Finds the messages of a question, or of one of its events, in the channel, by their metadata. Nothing has to be stored for this, and a
 * message that was posted right before a crash is found. Usually there is one. The first hour is searched first.
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
  const { since, now } = search;
  const early = await searchBetween(api, search, [since - skewMs, since + hour], signal);
  if (early.length > 0 || now <= since + hour) return early;
  return searchBetween(api, search, [since + hour, now + skewMs], signal);
}

async function searchBetween(
  api: SlackApi,
  { channel, metadata: wanted, botId }: Search,
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
      ({ bot_id: bot, metadata }) => bot === botId && metadata && isSameJson(metadata, wanted),
    );
    found.push(...own.map(({ ts }) => ts));
    cursor = rest?.next_cursor;
    if (!cursor) break;
  }
  return found.sort();
}
