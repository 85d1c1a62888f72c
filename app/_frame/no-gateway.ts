/**
 * Replaces `@ai-sdk/gateway` in the browser: pages call no model, and the SDK imports its gateway whether it is used or not.
 *
 * @see next.config.ts
 */
export const gateway = undefined;

/** No error is one of the gateway's. */
export const GatewayError = { isInstance: (): boolean => false };

export { GatewayError as GatewayAuthenticationError };

/** @throws Error: it runs on servers only */
export function createGateway(): never {
  throw new Error('The gateway is not in this page.');
}
