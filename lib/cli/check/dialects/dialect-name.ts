/** The dialects that can be checked. */
export const dialectNames = ['tool-events', 'two-step', 'responses', 'chat-socket'] as const;

/** @see dialectNames */
export type DialectName = (typeof dialectNames)[number];
