import type { Script } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import type { ResponseObject } from '../../../lib/plugins/responses/client/schema/response-schema.ts';
import { readResponsesFrames } from '../../support/responses-frames.ts';
import { responsesGateway } from '../../support/responses-gateway.ts';

/** Pays when it is asked to, and otherwise says what it knows of the payment. */
const teller: Script = ({ prompt }) => {
  const last = prompt.at(-1);
  const told = JSON.stringify(prompt);
  if (last?.role === 'user' && JSON.stringify(last.content).includes('Pay')) {
    return [{ call: 'pay', input: { to: 'Al', amount: 1 } }];
  }
  return [{ text: told.includes('execution-denied') ? 'It was not paid.' : 'It was paid.' }];
};

async function asked() {
  const gateway = await responsesGateway(teller);
  const first: ResponseObject = await (await gateway.post({ input: 'Pay Al.' })).json();
  const answer = (approve: boolean, reason?: string) => ({
    type: 'mcp_approval_response',
    approval_request_id: first.output.at(-1)?.id,
    approve,
    ...(reason !== undefined && { reason }),
  });
  return { ...gateway, first, answer };
}

describe('an answer that is sent again', () => {
  it.each([
    { what: 'approval', approve: true, status: 'completed', runs: 1 },
    { what: 'denial', approve: false, status: 'failed', runs: 0 },
  ])('gets the result of the $what, streamed or not [C18]', async ({ approve, status, runs }) => {
    const { post, answer, ran } = await asked();
    const first: ResponseObject = await (await post({ input: [answer(approve)] })).json();
    expect(first.output[0]).toMatchObject({ type: 'mcp_call', status });
    const again = await (await post({ input: [answer(approve)] })).json();
    expect(again).toEqual(first);
    const { events } = await readResponsesFrames(await post({ input: [answer(approve)], stream: true }));
    expect(events.at(-1)).toMatchObject({ response: { id: first.id, output: first.output } });
    expect(ran).toHaveLength(runs);
  });

  it('gets the result from both of two requests at once [C18]', async () => {
    const { post, answer, ran } = await asked();
    const both = await Promise.all([1, 2].map(async () => (await post({ input: [answer(true)] })).json()));
    expect(both[0]).toEqual(both[1]);
    expect(ran).toHaveLength(1);
  });

  it.each([
    { what: 'another decision', again: { approve: false } },
    { what: 'another reason', again: { approve: true, reason: 'Because.' } },
  ])('is refused with $what [C18]', async ({ again: { approve, reason } }) => {
    const { post, answer, ran } = await asked();
    await post({ input: [answer(true)] });
    for (const more of [[], [{ role: 'user', content: 'And?' }]]) {
      const refused = await post({ input: [answer(approve, reason), ...more] });
      expect([refused.status, await refused.json()]).toMatchObject([
        409,
        { error: { code: 'already-answered' } },
      ]);
    }
    expect(ran).toHaveLength(1);
  });
});

describe('an answer that comes with a message', () => {
  it.each([
    { what: 'an approval', approve: true, status: 'completed', text: 'It was paid.', runs: 1 },
    { what: 'a denial', approve: false, status: 'failed', text: 'It was not paid.', runs: 0 },
  ])('shows the outcome of $what, and then the answer to the message [C18]', async (row) => {
    const { post, answer, first, ran } = await asked();
    const input = [answer(row.approve), { role: 'user', content: 'What happened?' }];
    const response: ResponseObject = await (
      await post({ input, previous_response_id: first.id, stream: false })
    ).json();
    expect(response.output).toMatchObject([
      { type: 'mcp_call', status: row.status, approval_request_id: first.output[0]?.id },
      { type: 'message', content: [{ text: row.text }] },
    ]);
    expect(ran).toHaveLength(row.runs);
  });
});
