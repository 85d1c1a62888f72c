'use client';

import type { ReactNode } from 'react';
import type { Decision, Question } from '../../client/question.ts';
import { ApprovalCard } from '../card/approval-card.tsx';
import { QuestionContext } from '../card/evidence/question-context.tsx';
import { checkAccepted } from './check-accepted.ts';
import { useInbox } from './inbox-context.ts';

/** The card of one question with its answers, and below it the ways to its chat and its page. @param props.children replace the card */
export function InboxCard({ question, children }: { question: Question; children?: ReactNode }) {
  const { inbox, words, onStepUp, chatHref, decisionHref, repeatHref } = useInbox();
  const links = [
    { href: chatHref(question), label: words.openChat },
    { href: decisionHref(question), label: words.openDecision },
  ];
  const decide = async (decision: Decision) => {
    checkAccepted(await inbox.decide(question.id, decision), words);
  };
  return (
    <>
      <QuestionContext question={question} />
      {children ?? (
        <ApprovalCard
          question={question}
          onDecide={decide}
          onStepUp={onStepUp}
          repeatHref={repeatHref}
          attention="none"
        />
      )}
      {links.map(
        ({ href, label }) =>
          href !== undefined && (
            <a key={label} data-countersign="inbox-item-chat" href={href}>
              {label}
            </a>
          ),
      )}
    </>
  );
}
