'use client';

import type { Question } from '../../../client/question.ts';
import { CardFrame } from '../../../react/card/card-frame.tsx';
import { CardArguments } from '../../../react/card/evidence/argument-parts.tsx';
import { CardHistory } from '../../../react/card/evidence/history-part.tsx';
import { CardDescription, CardRisk } from '../../../react/card/heading-parts.tsx';

/** An upcoming call with its evidence. Not a card for keys and focus: its question is not asked, so it cannot be answered. */
export function CallEvidence({ question, state }: { question: Question; state: string }) {
  return (
    <CardFrame
      question={{ ...question, mayAnswer: false }}
      onAnswer={ignore}
      attention="none"
      data-countersign="upcoming-evidence"
      data-state={state}
    >
      <CardRisk />
      <CardDescription level={4} />
      <CardHistory />
      <CardArguments />
    </CardFrame>
  );
}

function ignore(): void {}
