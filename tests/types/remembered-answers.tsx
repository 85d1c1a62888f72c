import { CardFrame, type Question, useApprovalChat } from 'countersign/react';
import { createSseTransport, sendAutomaticallyWhen } from 'countersign/sse';

/** What the compiler must accept, and what it must refuse, of answers that are remembered. Nothing here runs. */
export function RememberedCard({ question }: { question: Question<{ amount: number }> }) {
  return (
    <CardFrame question={question} onAnswer={({ plugins }) => plugins?.remembered?.scope === 'me'}>
      {({ input }) => <p>{input.amount}</p>}
    </CardFrame>
  );
}

export function useRemembered() {
  const { answer } = useApprovalChat({ transport: createSseTransport(), sendAutomaticallyWhen });
  const remembered = { scope: 'everybody', match: 'tool' } as const;
  // @ts-expect-error a scope is `chat` or `me`
  return () => answer({ approved: true, plugins: { remembered } });
}
