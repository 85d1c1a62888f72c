'use client';

import type { Question } from '../../../client/question.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { InboxBoundary } from '../inbox-boundary.tsx';
import { useInbox } from '../inbox-context.ts';
import { InboxFacts } from './inbox-facts.tsx';

/**
 * Questions that this person does not have to answer, with one sentence each and a link to the chat or page.
 */
export function InboxBriefs({ questions }: { questions: readonly Question[] }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: lists without bullets lose their role in Safari
    <ul role="list" data-countersign="inbox-briefs">
      {questions.map((question) => (
        <li key={question.id} data-state={question.state}>
          <InboxBoundary question={question}>
            <Brief question={question} />
          </InboxBoundary>
        </li>
      ))}
    </ul>
  );
}

function Brief({ question }: { question: Question }) {
  const { chatHref, chatTitle, questionHref, now } = useInbox();
  const text = visibleText(question.description);
  const href = chatHref(question) ?? questionHref(question);
  return (
    <>
      {href === undefined ? <span>{text}</span> : <a href={href}>{text}</a>}
      <InboxFacts question={question} now={now} chat={chatTitle(question)} />
    </>
  );
}
