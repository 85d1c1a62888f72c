import { z } from 'zod';
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
        .object({ event_type: z.string(), event_payload: z.record(z.string(), z.string()) })
        .optional()
        .catch(undefined),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** A message of this app, by Slack's id of it and by its metadata. */
export type FoundMessage = { readonly ts: string; readonly metadata: SlackMetadata };

/** Which messages are searched for, and where they can be. */
export type Search = {
  readonly channel: string;
  /** Whether a message with this metadata is one of them. */
  readonly matches: (metadata: SlackMetadata) => boolean;
  /** Whether there may be some in the first hour and others after it. */
  readonly areSeveral: boolean;
  /** When the message was posted at the earliest. Epoch milliseconds. */
  readonly since: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The id of this app's bot: other apps can write the same metadata. */
  readonly botId: string;
};

/**
 * Finds the messages of a question, or of one of its events, in the channel, by their metadata. Nothing has to be stored for this, and a
 * message that was posted right before a crash is found. The first hour is searched first.
 *
 * @returns oldest first
 * @throws SlackError
 * @source ADR 0051.2
 */
export async function findMessages(
  api: SlackApi,
  search: Search,
  signal?: AbortSignal,
): Promise<readonly FoundMessage[]> {
  const { since, now, areSeveral } = search;
  const early = await searchBetween(api, search, [since - skewMs, since + hour], signal);
  if (now <= since + hour || (early.length > 0 && !areSeveral)) return early;
  return [...early, ...(await searchBetween(api, search, [since + hour, now + skewMs], signal))];
}

async function searchBetween(
  api: SlackApi,
  { channel, matches, botId }: Search,
  [oldest, latest]: readonly [number, number],
  signal?: AbortSignal,
): Promise<readonly FoundMessage[]> {
  const found: FoundMessage[] = [];
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
    for (const { ts, bot_id: bot, metadata } of messages)
      if (bot === botId && metadata && matches(metadata)) found.push({ ts, metadata });
    cursor = rest?.next_cursor;
    if (!cursor) break;
  }
  return found.reverse();
}
