import { tool } from 'ai';
import { createApprovalFlow } from 'countersign';
import { rehearsal } from 'countersign/plugins/rehearsal';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { z } from 'zod';

const pay = tool({
  inputSchema: z.object({ to: z.string(), amount: z.number() }),
  execute: () => 'Paid.',
});

/** The flow of an app, as `countersign rehearse` loads it. */
export const flow = createApprovalFlow({
  store: sqliteStore({ path: process.env.DATABASE ?? ':memory:' }),
  model: scriptedModel([
    [{ call: 'pay', input: { to: 'Alice\u001b[2J', amount: 700 } }],
    [{ text: 'Done.' }],
  ]),
  tools: { pay },
  toolApproval: { pay: 'user-approval' },
  plugins: [rehearsal()],
});
