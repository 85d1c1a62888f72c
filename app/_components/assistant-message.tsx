'use client';

import type { ChatMessage } from '../_chat/chat-message.ts';
import { textOf } from '../_chat/chat-message.ts';
import { isBeginningOf } from '../_chat/draft.ts';
import type { MessageItem } from '../_chat/message-items.ts';
import { itemsOf } from '../_chat/message-items.ts';
import type { ApprovalChat } from '../_chat/use-approval-chat.ts';
import { ApprovalCard } from './approval-card.tsx';
import styles from './assistant-message.module.css';
import { Draft } from './draft.tsx';
import { Markdown } from './markdown.tsx';
import { MessageFooter } from './message-footer.tsx';
import { Reasoning } from './reasoning.tsx';
import { ToolCard } from './tool-card.tsx';
import { Working } from './working.tsx';

type Props = { message: ChatMessage; chat: ApprovalChat; isCurrent: boolean };

/** One turn of the assistant: its calls, its questions, and its words, as a draft first. */
export function AssistantMessage({ message, chat, isCurrent }: Props) {
  const draft = isCurrent ? draftToShow(message, chat) : '';
  const isRunning = isCurrent && chat.phase === 'running';
  const isSilent = draft === '' && textOf(message) === '';
  const items = itemsOf(message, chat.live, {
    isLast: isCurrent,
    isRunning: isCurrent && chat.phase !== 'idle',
    isSettled: !isRunning || chat.draft !== '',
  });
  return (
    <article className={styles.message} aria-label="Assistant" aria-busy={isRunning}>
      {items.map((item) =>
        item.type === 'text' && draft !== '' ? null : <Item key={item.key} item={item} chat={chat} />,
      )}
      {draft !== '' && <Draft text={draft} isGrowing={isRunning} isWaiting={chat.phase === 'waiting'} />}
      {isRunning && isSilent && <Working />}
      <MessageFooter
        message={message}
        onRegenerate={isCurrent && chat.phase === 'idle' ? chat.regenerate : undefined}
      />
    </article>
  );
}

function Item({ item, chat }: { item: MessageItem; chat: ApprovalChat }) {
  switch (item.type) {
    case 'text':
      return <Markdown text={item.text} />;
    case 'reasoning':
      return <Reasoning text={item.text} />;
    case 'call':
      return (
        <ToolCard call={item.call} answer={item.call.approval && chat.answers.get(item.call.approval.id)} />
      );
    case 'question':
      return (
        <ApprovalCard
          key={item.part.approval.id}
          call={item.call}
          descriptor={item.part.approval.descriptor}
          onAnswer={(approved, reason) => chat.answer(item.part.approval.id, approved, reason)}
        />
      );
  }
}

/** The draft stays until the released text has caught up with it, so that the words never jump. */
function draftToShow(message: ChatMessage, { draft, phase }: ApprovalChat): string {
  if (phase === 'idle') return '';
  const text = textOf(message);
  return isBeginningOf(text, draft) && !isBeginningOf(draft, text) ? draft : '';
}
