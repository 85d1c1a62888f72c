/**
 * Platform functions that the engine and the handlers need, and that Node and the web offer under different
 * names. Both implementations return the same bytes, so instances on different runtimes can share one store.
 *
 * Texts are hashed as UTF-8. An unpaired surrogate becomes U+FFFD, as in `TextEncoder`.
 *
 * @source ADR 0028
 */
export type Runtime = {
  /** 32 bytes. Synchronous, because a call is checked in the same turn in which it starts (ADR 0019). */
  sha256(text: string): Uint8Array;
  /** The same as base64url, 43 characters. Faster than hashing to bytes and encoding those. */
  digest(text: string): string;
  /** SHA-256 of a text that comes in parts; `digest` is called once, at the end. */
  sha256InParts(): { update(part: string): void; digest(): Uint8Array };
  /** 32 bytes, over all parts in order. */
  hmacSha256(key: string | Uint8Array, ...parts: readonly (string | Uint8Array)[]): Uint8Array;
  /** AES-256 in counter mode. @param key 32 bytes @param counter 16 bytes, counted up as one number */
  aesCtr(
    key: Uint8Array,
    counter: Uint8Array,
    bytes: Uint8Array,
  ): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;
  /** Compares in a time that depends only on the lengths. */
  isSame(one: Uint8Array, other: Uint8Array): boolean;
  /** Without padding. At most 70,000 bytes. */
  toBase64url(bytes: Uint8Array): string;
  /** Bytes that differ from any valid value, possibly none, for text that is not base64url. Never throws. */
  fromBase64url(text: string): Uint8Array<ArrayBuffer>;
  /** The length of a text in UTF-8, in bytes. */
  utf8Length(text: string): number;
  /** Lets pending work of the event loop run first. */
  turnOfEventLoop(): Promise<void>;
  /** Calls back when all pending promises have settled, and before the next turn of the event loop, if possible. */
  afterPromises(callback: () => void): void;
  /** Binds a function to the current async context, where the runtime has one. */
  inThisContext<Given extends unknown[], Result>(
    callback: (...given: Given) => Result,
  ): (...given: Given) => Result;
};
