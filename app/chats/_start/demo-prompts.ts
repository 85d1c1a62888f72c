/** A suggestion on the empty page: what it shows, what it sends. */
export type DemoPrompt = { title: string; text: string; asks: number };

/** Prompts for the demo model. `asks` is the number of questions that it leads to. @source H-Demo */
export const demoPrompts: readonly DemoPrompt[] = [
  { title: 'Two steps, one after the other', text: 'Search and update database', asks: 2 },
  { title: 'Two payments at once', text: 'Pay Alice 30 and Bob 40', asks: 2 },
  { title: 'Two people must approve', text: 'Release version 2.1', asks: 1 },
  { title: 'More than yes or no', text: 'Refund order 1007', asks: 1 },
  { title: 'Asks you for dates', text: 'Plan my trip', asks: 1 },
  { title: 'Needs a recent sign-in', text: 'Rotate the API key', asks: 1 },
  { title: 'Runs in your browser', text: 'Where am I?', asks: 1 },
  { title: 'Search the documents', text: 'search files for approval', asks: 0 },
  { title: 'Over MCP', text: 'multiply 5 and 4', asks: 0 },
  { title: 'Fails once, then works', text: 'call the flaky service', asks: 0 },
];
