/** How much of a request is accepted, in bytes: the same at every endpoint. */
export type ChatLimits = {
  /** The whole body, or a whole frame; the SDK's own transports send the whole history. Default 16 MiB. */
  readonly bodyBytes: number;
  /** The new user message. Default 1 MiB. */
  readonly messageBytes: number;
};

/** @see ChatLimits */
export const defaultChatLimits: ChatLimits = { bodyBytes: 16 * 1024 ** 2, messageBytes: 1024 ** 2 };

/** The limits of a server half: those it was given, and the defaults. */
export function limitsOf({ limits }: { readonly limits?: Partial<ChatLimits> }): ChatLimits {
  return { ...defaultChatLimits, ...limits };
}
