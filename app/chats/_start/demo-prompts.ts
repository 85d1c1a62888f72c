/** A suggestion on the empty page: what it shows, what it sends, and what people must give before it is done. */
export type DemoPrompt = { title: string; text: string; needs?: string };

/** Prompts for the demo model. @source H-Demo */
export const demoPrompts: readonly DemoPrompt[] = [
  { title: 'Two steps, one after the other', text: 'Search and update database', needs: '2 approvals' },
  { title: 'Two payments in one step', text: 'Pay Alice 30 and Bob 40', needs: '2 approvals' },
  { title: 'Two people must approve', text: 'Release version 2.1', needs: '2 approvals' },
  { title: 'More than yes or no', text: 'Refund order 1007', needs: '1 approval' },
  { title: 'Asks you for dates', text: 'Plan my trip', needs: '1 answer' },
  { title: 'Needs a recent sign-in', text: 'Rotate the API key', needs: '1 approval' },
  { title: 'Runs in your browser', text: 'Where am I?', needs: '1 approval' },
  { title: 'Search the documents', text: 'search files for approval' },
  { title: 'Over MCP', text: 'multiply 5 and 4' },
  { title: 'Fails once, then works', text: 'call the flaky service' },
];
