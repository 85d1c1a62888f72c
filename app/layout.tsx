import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { parseTheme, themeCookie } from './_frame/theme.ts';
import { Workspace } from './_frame/workspace.tsx';
import { readForPage, readUserForPage } from './_server/read-for-page.ts';
import type { ChatPage } from './chats/_list/chat-api.ts';
import './globals.css';
import './countersign.css';

/** Names of the pages; a chat's page puts its title in front. */
export const metadata: Metadata = {
  title: { default: 'Countersign', template: '%s · Countersign' },
  description: 'An assistant that asks before it acts.',
};

/** Colours of the browser's own frame, and the keyboard of phones shrinking the page, not covering it. */
export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#faf8f3' },
    { media: '(prefers-color-scheme: dark)', color: '#14161a' },
  ],
  interactiveWidget: 'resizes-content',
};

/** How many questions are in the HTML of a page. The page reads the others. */
const firstQuestions = 20;

/** The frame of every page: the rail of chats, and the page beside it. */
export default async function Layout({ children }: { children: ReactNode }) {
  const theme = parseTheme((await cookies()).get(themeCookie)?.value);
  const [user, inbox, chats] = await Promise.all([
    readUserForPage(),
    readForPage(`/api/approvals?state=open&limit=${firstQuestions}`),
    readForPage('/api/chat') as Promise<ChatPage | undefined>,
  ]);
  return (
    <html lang="en" data-theme={theme}>
      <body>
        <a className="skip-link" href="#page">
          Skip to content
        </a>
        <Workspace theme={theme} sent={{ user, inbox, chats }}>
          {children}
        </Workspace>
      </body>
    </html>
  );
}
