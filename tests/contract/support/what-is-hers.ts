import { rememberSearch } from './remembered-search.ts';

/** A person at the app's routes. */
export type Person = {
  readonly send: (method: string, path: string, body?: unknown) => Promise<{ readonly text: string }>;
  /** Sends a message, and reads the response. */
  readonly ask: (chat: string, text: string) => Promise<unknown>;
};

/** Makes what plugins keep of a person. @returns its ids */
export const whatPluginsKeep: readonly ((person: Person) => Promise<{ readonly grant: string }>)[] = [
  rememberSearch,
];
