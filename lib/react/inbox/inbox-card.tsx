'use client';

import { type ReactNode, useContext } from 'react';
import { type NewAnswer, parseQuestion, type Question } from '../../client/question.ts';
import { visibleText } from '../../client/visible-text.ts';
import { ApprovalCard } from '../card/approval-card.tsx';
import { QuestionContext } from '../card/evidence/question-context.tsx';
import { usePersonName } from '../person/person.tsx';
import { PluginParts } from '../plugins/plugin-parts.tsx';
import { useLoaded } from '../use-loaded.ts';
import { WordsContext } from '../words/use-words.ts';
import { checkAccepted } from './check-accepted.ts';
import { CallEvidence } from './detail/call-evidence.tsx';
import { InboxBoundary } from './inbox-boundary.tsx';
import { useInbox } from './inbox-context.ts';

const loadUpcoming = () => import('./detail/upcoming-calls.tsx');

/**
 * The card of one question with its answers, and below it links to its chat and its page, and the upcoming calls.
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
  const code = useLoaded(loadUpcoming);
  const given = useContext(WordsContext).upcoming;
  const nameOf = usePersonName();
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
      {code && (
        // If that code imported this module itself, the module would be split from the page's initial code.
        <code.UpcomingCalls
          {...{ question, inbox, given, nameOf, parseQuestion, visibleText, CallEvidence }}
        />
      )}
    </>
  );
}
