'use client';

import type { ApprovalInboxState } from 'countersign/react';
import { useApprovalInbox } from 'countersign/react';
import type { ReactNode } from 'react';
import { createContext, useContext } from 'react';

const InboxContext = createContext<ApprovalInboxState | undefined>(undefined);

/** Keeps the inbox above the pages: the rail counts what the inbox's page shows. @param props.sent the first questions, from the server */
export function InboxProvider({ sent, children }: { sent: unknown; children: ReactNode }) {
  return <InboxContext value={useApprovalInbox({ sent })}>{children}</InboxContext>;
}

/** The inbox of the surrounding page. @throws Error outside of `InboxProvider` */
export function useInboxState(): ApprovalInboxState {
  const inbox = useContext(InboxContext);
  if (inbox === undefined) throw new Error('useInboxState needs an InboxProvider above it.');
  return inbox;
}
