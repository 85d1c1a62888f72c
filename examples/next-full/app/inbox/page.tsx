'use client';

import { ApprovalInbox, useApprovalInbox } from 'countersign/react';

/** All open questions that this person may answer, of all chats, live. */
export default function Page() {
  const inbox = useApprovalInbox();
  return (
    <main>
      <ApprovalInbox inbox={inbox} />
    </main>
  );
}
