/** The maximum sizes of a request, in bytes. They are the same for all endpoints. */
export type ChatLimits = {
  /** The whole body or frame; the SDK's transports send the whole history. Default 16 MiB. */
  readonly bodyBytes: number;
  /** The new user message. Default 1 MiB. */
  readonly messageBytes: number;
};

/** @see ChatLimits */
export const defaultChatLimits: ChatLimits = { bodyBytes: 16 * 1024 ** 2, messageBytes: 1024 ** 2 };

/** The given limits, with defaults for the others. */
export function limitsOf({ limits }: { readonly limits?: Partial<ChatLimits> }): ChatLimits {
  return { ...defaultChatLimits, ...limits };
}
