import { tool, type UIMessage } from 'ai';
import { createApprovalFlow } from 'countersign';
import {
  CardFrame,
  type CardWords,
  type Question,
  useApprovalChat,
  type WordsGiven,
} from 'countersign/react';
import { createSseTransport, sendAutomaticallyWhen } from 'countersign/sse';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { z } from 'zod';

/**
 * What the compiler must accept, and what it must refuse (`@ts-expect-error` fails where there is no error). Nothing
 * here runs: `npm run types` is the test.
 */
type Payment = { to: string; amount: number };

export function describesCallsByTheirTypes() {
  const pay = tool({
    inputSchema: z.object({ to: z.string(), amount: z.number() }),
    execute: async ({ to }: Payment) => ({ paid: to }),
  });
  return createApprovalFlow({
    store: sqliteStore({ path: ':memory:' }),
    model: scriptedModel([]),
    tools: { pay },
    toolApproval: { pay: 'user-approval' },
    toolDetails: {
      pay: {
        describe: ({ to, amount }) => `Pay ${to} ${amount.toFixed(2)}.`,
        summarize: ({ paid }, { amount }) => ({
          summary: `${paid.toUpperCase()} got ${amount}`,
          resultCount: 1,
        }),
      },
      // @ts-expect-error there is no such tool
      refund: { risk: 'low' },
    },
  });
}

export function refusesAWrongField() {
  return createApprovalFlow({
    store: sqliteStore({ path: ':memory:' }),
    model: scriptedModel([]),
    tools: { pay: tool({ inputSchema: z.object({ to: z.string() }), execute: async () => 'ok' }) },
    // @ts-expect-error the input has no `recipient`
    toolDetails: { pay: { describe: ({ recipient }) => recipient } },
  });
}

export function TypedCard({ question }: { question: Question<Payment> }) {
  return (
    <CardFrame question={question} onAnswer={({ input }) => input?.amount.toFixed(2)}>
      {({ input }) => <p>{input.to.toUpperCase()}</p>}
    </CardFrame>
  );
}

export function WronglyTypedCard({ question }: { question: Question<Payment> }) {
  return (
    <CardFrame question={question} onAnswer={() => undefined}>
      {/* @ts-expect-error the input has no `recipient` */}
      {({ input }) => <p>{input.recipient}</p>}
    </CardFrame>
  );
}

type PaymentMessage = UIMessage<unknown, never, { pay: { input: Payment; output: string } }>;

export function TypedChat() {
  const { question, answer } = useApprovalChat<PaymentMessage>({
    transport: createSseTransport<PaymentMessage>(),
    sendAutomaticallyWhen,
  });
  // @ts-expect-error no tool has this name
  if (question?.toolName === 'refund') return null;
  const approve = () => answer({ approved: true });
  return question && <button type="button" onClick={approve} title={question.input.amount.toFixed(2)} />;
}

export const german: Pick<CardWords, 'approve' | 'place'> = {
  approve: 'Genehmigen',
  place: ({ index, of }) => (of === undefined ? undefined : `${index.toFixed()} von ${of}`),
};

export const misspelt: WordsGiven = {
  // @ts-expect-error the card has no such text
  card: { aprove: 'Genehmigen' },
};
