'use client';

import { ApprovalFeedProvider, ApprovalKeys, ConnectionNotice, useTabMark } from 'countersign/react';
import type { ReactNode } from 'react';
import type { User } from '../_identity/identity.ts';
import { IdentityProvider } from '../_identity/identity-state.tsx';
import type { ChatPage } from '../chats/_list/chat-api.ts';
import { ChatListProvider } from '../chats/_list/chat-list.tsx';
import { FirstMessageProvider } from '../chats/_start/first-message.tsx';
import { InboxProvider, useInboxState } from '../inbox/inbox-state.tsx';
import { Rail } from './rail.tsx';
import { RailProvider, useRail } from './rail-state.tsx';
import { Settings } from './settings.tsx';
import type { Theme } from './theme.ts';
import { ThemeProvider } from './theme-switch.tsx';
import styles from './workspace.module.css';

/** What the server's HTML starts from, so that the page shows it before it has loaded anything. */
type Sent = {
  readonly user: User | undefined;
  readonly inbox: unknown;
  readonly chats: ChatPage | undefined;
};

/** What all pages share: the feed of questions, the inbox, the list of chats, and the rail beside the page. */
export function Workspace({ theme, sent, children }: { theme: Theme; sent: Sent; children: ReactNode }) {
  return (
    <ThemeProvider initial={theme}>
      <ApprovalFeedProvider>
        <IdentityProvider sent={sent.user}>
          <InboxProvider sent={sent.inbox}>
            <ChatListProvider sent={sent.chats}>
              <FirstMessageProvider>
                <RailProvider>
                  <ApprovalKeys>
                    <Frame>{children}</Frame>
                  </ApprovalKeys>
                </RailProvider>
              </FirstMessageProvider>
            </ChatListProvider>
          </InboxProvider>
        </IdentityProvider>
      </ApprovalFeedProvider>
    </ThemeProvider>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const { state, close } = useRail();
  const { count, more } = useInboxState();
  useTabMark(count, more !== undefined);
  return (
    <div className={styles.frame} data-rail={state}>
      <Rail />
      {state === 'open' && (
        <button type="button" className={styles.curtain} aria-label="Close the chat list" onClick={close} />
      )}
      <div className={styles.page} id="page" tabIndex={-1} inert={state === 'open'}>
        <ConnectionNotice className={styles.connection} />
        {children}
      </div>
      <Settings />
    </div>
  );
}
