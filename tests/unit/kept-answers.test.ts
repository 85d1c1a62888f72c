import type { UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { createBidiTransport } from '../../lib/bidi/client.ts';
import { createKeptAnswers } from '../../lib/client/transport/kept-answers.ts';
import { slimFieldsOf } from '../../lib/client/transport/slim-request.ts';
import { createSseTransport } from '../../lib/sse/client.ts';

const edited = { recipient: 'Alice', amount: 3 };
const remember = { scope: 'chat', match: 'tool' } as const;

const answered = (approved: boolean, ...after: UIMessage['parts']): UIMessage => ({
  id: 'a1',
  role: 'assistant',
  parts: [
    { type: 'step-start' },
    {
      type: 'tool-process_payment',
      toolCallId: 'c1',
      state: 'approval-responded',
      input: { recipient: 'Alice', amount: 30 },
      approval: { id: 'apr_1', approved },
    },
    ...after,
  ],
});
const user: UIMessage = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] };
const answersIn = (messages: UIMessage[], extrasOf: (id: string) => object) =>
  slimFieldsOf({
    trigger: 'submit-message',
    messageId: undefined,
    clientTools: new Set(),
    messages,
    extrasOf,
  }).answers;

describe('answers with more than yes or no', () => {
  it.each<[string, UIMessage[]]>([
    ['an answer', [answered(true)]],
    ['an answer that is repeated after its response broke off', [answered(true, { type: 'step-start' })]],
    ['an answer that goes with a new message', [answered(true), user]],
  ])('are sent with %s', (_, messages) => {
    const { keep, extrasOf } = createKeptAnswers();
    keep({ id: 'apr_1', approved: true, input: edited, plugins: { remembered: remember } });
    expect(answersIn(messages, extrasOf)).toEqual([
      { approvalId: 'apr_1', approved: true, input: edited, plugins: { remembered: remember } },
    ]);
    expect(answersIn(messages, extrasOf)).toHaveLength(1);
  });

  it('are not sent with a denial, or with another question', () => {
    const { keep, extrasOf } = createKeptAnswers();
    keep({ id: 'apr_1', approved: true, input: edited });
    expect(answersIn([answered(false)], extrasOf)).toEqual([{ approvalId: 'apr_1', approved: false }]);
    expect(extrasOf('apr_2')).toEqual({});
  });

  it('contain the option that was chosen, with an approval or a denial, and not with the other one', () => {
    const { keep, extrasOf } = createKeptAnswers();
    keep({ id: 'apr_1', approved: false, option: 'none' });
    expect(answersIn([answered(false)], extrasOf)).toEqual([
      { approvalId: 'apr_1', approved: false, option: 'none' },
    ]);
    expect(answersIn([answered(true)], extrasOf)).toEqual([{ approvalId: 'apr_1', approved: true }]);
  });

  it.each([
    ['approving as proposed', { approved: true }],
    ['denying', { approved: false }],
  ])('are withdrawn by %s later', (_, later) => {
    const { keep, extrasOf } = createKeptAnswers();
    keep({ id: 'apr_1', approved: true, input: edited, plugins: { remembered: remember } });
    keep({ id: 'apr_1', ...later });
    expect(extrasOf('apr_1')).toEqual({});
  });

  it('do not change when a form changes its own copy later', () => {
    const { keep, extrasOf } = createKeptAnswers();
    const form = { amount: 3 };
    keep({ id: 'apr_1', approved: true, input: form });
    form.amount = 9_000;
    expect(extrasOf('apr_1')).toEqual({ input: { amount: 3 } });
  });

  it.each([
    ['SSE', createSseTransport()],
    ['BIDI', createBidiTransport({ url: 'ws://127.0.0.1/api/chat/socket' })],
  ])('over %s, leave `addToolApprovalResponse` what it supports', (_, { keepAnswer }) => {
    expect(
      keepAnswer({
        id: 'apr_1',
        approved: true,
        reason: 'Less.',
        input: edited,
        plugins: { remembered: remember },
      }),
    ).toEqual({
      id: 'apr_1',
      approved: true,
      reason: 'Less.',
    });
  });
});
