import type { FlowSettings } from 'countersign';
import type { Conversation } from './conversation.ts';
import type { Reply } from './reply.ts';

/** One course of a chat, whichever service the model is on. */
export type Scene = {
  readonly name: string;
  /** The replies of the service, in order. */
  readonly script: readonly Reply[];
  readonly settings?: Partial<FlowSettings>;
  /** What the person does. */
  readonly play: (chat: Conversation) => Promise<unknown>;
  /** The effects of the tools, in order. */
  readonly ran: readonly string[];
};

/** A call of `pay`. */
export const pay = (to: string, amount = 5, id?: string) => ({
  call: 'pay',
  input: { to, amount },
  ...(id === undefined ? {} : { id }),
});

export const weather = { call: 'weather', input: { city: 'Rome' } };
export const done: Reply = [{ text: 'Done.' }];
export const lend = { call: 'lend', input: { to: 'Al', amount: 8 } };
