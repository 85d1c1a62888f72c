'use client';

import type { ReactNode } from 'react';
import type { NewAnswer, Question } from '../../client/question.ts';
import { ApprovalCard } from '../card/approval-card.tsx';
import { QuestionContext } from '../card/evidence/question-context.tsx';
import { PluginParts } from '../plugins/plugin-parts.tsx';
import { checkAccepted } from './check-accepted.ts';
import { InboxBoundary } from './inbox-boundary.tsx';
import { useInbox } from './inbox-context.ts';

/**
 * The card of one question with its answers, and below it links to its chat and its page, and what plugins add.
 *
 * @param props.children replace the card
 */
export function InboxCard(props: { question: Question; children?: ReactNode }) {
  return (
    <InboxBoundary question={props.question}>
      <Content {...props} />
    </InboxBoundary>
  );
}

function Content({ question, children }: { question: Question; children?: ReactNode }) {
  const { inbox, words, onStepUp, chatHref, questionHref, repeatHref } = useInbox();
  const links = [
    { href: chatHref(question), label: words.openChat },
    { href: questionHref(question), label: words.openQuestion },
  ];
  const answer = async (given: NewAnswer) => {
    checkAccepted(await inbox.answer(question.id, given), words);
  };
  return (
    <>
      <QuestionContext question={question} />
      {children ?? (
        <ApprovalCard
          question={question}
          onAnswer={answer}
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
      <PluginParts at="below" question={question} />
    </>
  );
}
