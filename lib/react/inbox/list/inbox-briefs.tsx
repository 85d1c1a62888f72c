'use client';

import type { Question } from '../../../client/question.ts';
import { visibleText } from '../../../client/visible-text.ts';
import { useInbox } from '../inbox-context.ts';
import { InboxFacts } from './inbox-facts.tsx';

/**
 * Questions that this person does not have to answer, with one sentence each and a link to the chat or page.
 */
export function InboxBriefs({ questions }: { questions: readonly Question[] }) {
  const { chatHref, chatTitle, decisionHref, now } = useInbox();
  return (
    // biome-ignore lint/a11y/noRedundantRoles: lists without bullets lose their role in Safari
    <ul role="list" data-countersign="inbox-briefs">
      {questions.map((question) => (
        <li key={question.id} data-state={question.state}>
          <Sentence question={question} href={chatHref(question) ?? decisionHref(question)} />
          <InboxFacts question={question} now={now} chat={chatTitle(question)} />
        </li>
      ))}
    </ul>
  );
}

function Sentence({ question, href }: { question: Question; href: string | undefined }) {
  const text = visibleText(question.description);
  return href === undefined ? <span>{text}</span> : <a href={href}>{text}</a>;
}
