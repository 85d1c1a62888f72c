import type { ChatId, Principal } from '../protocol/index.ts';

/** Every call of the flow names the principal that makes it. */
export type By = { readonly principal: Principal };

/** A request about a chat. */
export type InChat = By & { readonly chatId: ChatId };
