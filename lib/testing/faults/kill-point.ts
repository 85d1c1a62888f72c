import type { Append } from '../../log/store/index.ts';
import type { FlowEvent } from '../../protocol/index.ts';

/**
 * A point in the life of a log: right before or after the n-th append, or the append with the n-th event of a type.
 * Both count from 1.
 *
 *     { when: 'after', event: 'tool-started' }       the call has started, and its outcome is lost
 *     { when: 'before', append: 3, chatId: 'chat' }  the third append of this chat is never written
 */
export type KillPoint = {
  readonly when: 'before' | 'after';
  /** The chat whose appends are counted. Default: all chats. */
  readonly chatId?: string;
} & (
  | { readonly append: number; readonly event?: undefined }
  | { readonly event: FlowEvent['type']; readonly nth?: number; readonly append?: undefined }
);

/** Serializes a kill point for a child process, such as `before:3:chat-7` or `after:tool-started.2`. */
export function formatKillPoint(point: KillPoint): string {
  const place = point.append ?? (point.nth === undefined ? point.event : `${point.event}.${point.nth}`);
  return [point.when, place, ...(point.chatId === undefined ? [] : [point.chatId])].join(':');
}

/** @throws Error for anything but a formatted kill point */
export function parseKillPoint(text: string): KillPoint {
  const [, when, append, event, nth, chatId] =
    /^(before|after):(?:([1-9]\d*)|([a-z]+-[a-z]+)(?:\.([1-9]\d*))?)(?::([\w-]+))?$/.exec(text) ?? [];
  if (when !== 'before' && when !== 'after') {
    throw new Error(`Not a kill point: ${text}. Write before:3, before:3:chat or after:tool-started.2:chat.`);
  }
  const chat = chatId === undefined ? {} : { chatId };
  if (append !== undefined) return { when, append: Number(append), ...chat };
  return {
    when,
    event: event as FlowEvent['type'],
    nth: nth === undefined ? undefined : Number(nth),
    ...chat,
  };
}

/** Counts appends. @returns whether this append is at the kill point */
export function killWatch(point: KillPoint): (batch: Append) => boolean {
  let count = 0;
  return ({ chatId, events }) => {
    if (point.chatId !== undefined && point.chatId !== chatId) return false;
    const counted = point.append === undefined ? events.filter(({ type }) => type === point.event).length : 1;
    const place = point.append ?? point.nth ?? 1;
    const before = count;
    count += counted;
    return before < place && count >= place;
  };
}
