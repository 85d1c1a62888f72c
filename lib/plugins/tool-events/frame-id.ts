import type { ChatId } from '../../protocol/index.ts';

/** The place of a frame in its conversation: the `seq` of its event in the log, and its place among that event's frames. */
export type FramePlace = { readonly seq: number; readonly index: number };

/** A frame's id as it travels. It names its conversation, so that it is no place in another one. @source A22 */
export function formatFrameId(conversationId: ChatId, { seq, index }: FramePlace): string {
  return `${conversationId}.${seq}.${index}`;
}

/** The id that a client sent back; `undefined` if this conversation did not make it. */
export function parseFrameId(conversationId: ChatId, value: string | null): FramePlace | undefined {
  const match = /^([\w-]+)\.(\d{1,15})\.(\d{1,3})$/.exec(value ?? '');
  return match?.[1] === conversationId ? { seq: Number(match[2]), index: Number(match[3]) } : undefined;
}

/** Whether a frame comes after another one of its conversation. */
export function isAfter(place: FramePlace, other: FramePlace): boolean {
  return place.seq > other.seq || (place.seq === other.seq && place.index > other.index);
}
