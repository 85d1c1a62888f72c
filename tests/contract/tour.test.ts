import { it } from 'vitest';
import { tool } from 'ai';
import { createApprovalFlow } from 'countersign';
import { createFetchHandler } from 'countersign/sse/server';
import { sqliteStore } from 'countersign/store';
import { readResponse, scriptedModel } from 'countersign/testing';
import { z } from 'zod';
import { type Entered, traceCalls } from '../support/trace-calls.ts';

it('probe', async () => {
  const trace = traceCalls();
  const at: Record<string, Entered[]> = {};
  const model = scriptedModel([[{ call: 'pay', id: 'c1', input: { amount: 30 } }], [{ text: 'Done.' }]]);
  const flow = createApprovalFlow({
    store: sqliteStore({ path: ':memory:' }),
    model: Object.assign(Object.create(model as object), { doStream: (o: any) => { at.model ??= trace.path(); return (model as any).doStream(o); } }),
    tools: {
      pay: tool({
        inputSchema: z.object({ amount: z.number() }),
        needsApproval: true,
        execute: async () => {
          at.execute = trace.path();
          return 'paid';
        },
      }),
    },
  });
  const handler = createFetchHandler(flow, { authorize: () => ({ id: 'ada', name: 'Ada' }) });
  const post = (path: string, body: unknown) =>
    handler(new Request(`http://127.0.0.1/api${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }));
  const one = await readResponse(await post('/chat', { id: 'chat', trigger: 'submit-message', message: { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Pay' }] } }));
  const asked: any = one.find((c) => c.type === 'tool-approval-request');
  const two = await post('/chat', { id: 'chat', trigger: 'submit-message', answers: [{ approvalId: asked.approvalId, approved: true }] });
  console.log(two.status, (await readResponse(two)).map((c) => c.type).join(' '));
  for (const [k, v] of Object.entries(at)) console.log(k + '\n   ' + v.map((f) => `${f.file}:${f.line}:${f.column} ${f.name}`).join('\n   '));
  await flow.close();
});
