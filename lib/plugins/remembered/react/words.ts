import type { Remember } from '../client/fields.ts';

/** All texts of `rememberedCard`. Pass your own for another language or tone. */
export type RememberWords = {
  readonly remember: string;
  readonly rememberScope: string;
  readonly once: string;
  readonly inThisChat: string;
  readonly always: string;
  readonly rememberMatch: string;
  readonly exactArguments: string;
  readonly anyArguments: string;
  /** What will be allowed, in one sentence. @param title the tool's */
  remembered(remember: Remember, title: string): string;
  readonly approveAndRemember: string;
  readonly approveEditedAndRemember: string;
};

/** Plain English. */
export const defaultRememberWords: RememberWords = {
  remember: 'Remember this approval',
  rememberScope: 'Remember for',
  once: 'This call only',
  inThisChat: 'This chat',
  always: 'All my chats',
  rememberMatch: 'Applies to',
  exactArguments: 'These exact arguments',
  anyArguments: 'Any arguments',
  remembered({ scope, match }, title) {
    const where = scope === 'chat' ? 'for the rest of this chat' : 'in all your chats';
    const what = match === 'tool' ? 'with any arguments' : 'with these exact arguments';
    return `${title} will run without asking ${where}, ${what}. You can revoke this.`;
  },
  approveAndRemember: 'Approve and remember',
  approveEditedAndRemember: 'Approve edited and remember',
};
