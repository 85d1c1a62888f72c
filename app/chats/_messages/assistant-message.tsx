'use client';

import { ApprovalCard, type ChatItem, type Question, ToolCard } from 'countersign/react';
import { useStepUp } from '../../_identity/use-step-up.ts';
import { Markdown } from '../../_ui/markdown.tsx';
import type { PageChat } from '../_chat/use-page-chat.ts';
import { callId, repeatHref } from '../call-href.ts';
import styles from './assistant-message.module.css';
import type { ChatMessage } from './chat-message.ts';
import { Draft } from './draft.tsx';
import { MessageFooter } from './message-footer.tsx';
import { Reasoning } from './reasoning.tsx';
import { Working } from './working.tsx';

type Props = { message: ChatMessage; chat: PageChat; isCurrent: boolean };

/** One turn of the assistant: its words, as drafts first, its calls and its questions, in the order in which it made them. */
export function AssistantMessage({ message, chat, isCurrent }: Props) {
  const isRunning = isCurrent && chat.phase === 'running';
  const items = chat.itemsOf(message);
  const lastDraft = items.findLast(({ type }) => type === 'draft');
  const isSilent = items.every(({ type }) => type === 'reasoning' || type === 'call');
  return (
    <article className={styles.message} aria-label="Assistant" aria-busy={isRunning}>
      {items.map((item) => (
        <Item key={item.key} item={item} chat={chat} isLastDraft={item === lastDraft} />
      ))}
      {isRunning && isSilent && <Working />}
      <MessageFooter
        message={message}
        onRegenerate={isCurrent && chat.phase === 'idle' ? () => void chat.regenerate() : undefined}
      />
    </article>
  );
}

function Item({ item, chat, isLastDraft }: { item: ChatItem; chat: PageChat; isLastDraft: boolean }) {
  switch (item.type) {
    case 'text':
      return <Markdown text={item.text} />;
    case 'draft':
      return (
        <Draft
          text={item.text}
          isLast={isLastDraft}
          isGrowing={chat.phase === 'running'}
          isWaiting={chat.phase === 'waiting'}
        />
      );
    case 'reasoning':
      return <Reasoning text={item.text} />;
    case 'call':
      return (
        <ToolCard
          id={callId(item.call.toolCallId)}
          call={item.call}
          onResolve={(outcome) => chat.resolveOutcome(item.call.toolCallId, outcome)}
        />
      );
    case 'question':
      return chat.question && <OpenQuestion question={chat.question} chat={chat} />;
  }
}

function OpenQuestion({ question, chat }: { question: Question; chat: PageChat }) {
  const onStepUp = useStepUp();
  return (
    <ApprovalCard
      question={question}
      onAnswer={(answer) => chat.answer(answer, question.id)}
      onStepUp={onStepUp}
      repeatHref={repeatHref}
      initialAnswer={chat.lastAnswer}
      failure={chat.failure}
    />
  );
}
