import { reportMistake } from '../http/mistake.ts';
import { serverAheadMs } from '../http/server-clock.ts';
import { parseTimeline, type Timeline } from './parse-timeline.ts';

/** How to reach the chats. */
export type TimelineApi = {
  /** Default `/api/chat`; a timeline is at `{api}/{chatId}/timeline`. */
  readonly api?: string;
  /** Pass your own for custom headers or credentials. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
};

/** The result of loading a timeline. `missing`: this person has no such chat. */
export type LoadedTimeline =
  | { readonly type: 'loaded'; readonly timeline: Timeline }
  | { readonly type: 'missing' }
  | { readonly type: 'failed' };

/** The URL of a chat's timeline, also for an export link. */
export function timelineUrl(chatId: string, api = '/api/chat'): string {
  return `${api}/${encodeURIComponent(chatId)}/timeline`;
}

/** Loads the timeline of a chat. Never rejects. */
export async function loadTimeline(
  chatId: string,
  { api, fetch = globalThis.fetch }: TimelineApi = {},
): Promise<LoadedTimeline> {
  try {
    const sentAt = Date.now();
    const response = await fetch(timelineUrl(chatId, api), { cache: 'no-store' });
    const receivedAt = Date.now();
    if (response.status === 404 || response.status === 400) return { type: 'missing' };
    const timeline = response.ok ? parseTimeline(await response.json()) : undefined;
    if (timeline === undefined) return { type: 'failed' };
    const aheadMs = serverAheadMs(response, { sentAt, receivedAt });
    return { type: 'loaded', timeline: { ...timeline, ...(aheadMs !== undefined && { aheadMs }) } };
  } catch (error) {
    reportMistake(error);
    return { type: 'failed' };
  }
}
