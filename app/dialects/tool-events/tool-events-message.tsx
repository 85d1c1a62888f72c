'use client';

import {
  type AskedApproval,
  messageItems,
  type ToolEventsItem,
  type ToolEventsMessage,
  ToolInvocation,
} from 'countersign/plugins/tool-events/react';
import { ApprovalCard, parseDescriptor, type Question, ReadableValue } from 'countersign/react';
import { Markdown } from '../../_ui/markdown.tsx';
import assistant from '../../chats/_messages/assistant-message.module.css';
import user from '../../chats/_messages/user-message.module.css';
import { Working } from '../../chats/_messages/working.tsx';
import styles from './tool-invocation.module.css';

type Actions = {
  onToggle: (toolCallId: string) => void;
  onReadOutput: (toolCallId: string, outputRef: string) => void;
  /** Absent while a call cannot be made again. */
  onRetry?: (toolCallId: string) => void;
  onAnswer: (approvalId: string, approved: boolean, reason: string) => void;
};

/** One message: its words, its calls and its open question, in the order in which they came. */
export function ToolEventsMessageView({
  message,
  asked,
  isRunning,
  ...actions
}: Actions & {
  message: ToolEventsMessage;
  asked: (AskedApproval & { after: number }) | undefined;
  isRunning: boolean;
}) {
  const items = messageItems(message, asked);
  if (message.role === 'user') {
    return (
      <article className={user.message} aria-label="You">
        <p className={user.bubble}>{items.map((item) => (item.type === 'text' ? item.text : ''))}</p>
      </article>
    );
  }
  return (
    <article className={assistant.message} aria-label="Assistant" aria-busy={isRunning}>
      {items.map((item, index) => (
        <Item key={keyOf(item, index)} item={item} {...actions} />
      ))}
      {isRunning && !isAtWork(items) && <Working />}
    </article>
  );
}

function Item({ item, onToggle, onReadOutput, onRetry, onAnswer }: Actions & { item: ToolEventsItem }) {
  switch (item.type) {
    case 'text':
      return <Markdown text={item.text} />;
    case 'tool':
      return (
        <ToolInvocation
          className={styles.invocation}
          invocation={item.invocation}
          onToggle={onToggle}
          onRetry={onRetry}
          onReadOutput={onReadOutput}
          renderInput={asReadable}
          renderOutput={asReadable}
        />
      );
    case 'approval':
      return (
        <ApprovalCard
          question={questionOf(item.approval)}
          onAnswer={({ approved, reason = '' }) => onAnswer(item.approval.approvalId, approved, reason)}
        />
      );
  }
}

/** The frame has only the call of a question. The card shows it until the question was read. */
function questionOf({ approvalId, toolName, question, ...call }: AskedApproval): Question {
  // An answer on this page has a reason and nothing else.
  if (question) return { ...question, mayEdit: false, mayRemember: false };
  return {
    ...parseDescriptor(undefined, toolName),
    ...call,
    id: approvalId,
    chatId: '',
    toolName,
    state: 'open',
  };
}

function asReadable(value: unknown) {
  return <ReadableValue value={value} />;
}

/** Whether the last item already shows that the assistant is working. */
function isAtWork(items: readonly ToolEventsItem[]): boolean {
  const last = items.at(-1);
  return last?.type === 'text' || (last?.type === 'tool' && last.invocation.status === 'executing');
}

function keyOf(item: ToolEventsItem, index: number): string {
  switch (item.type) {
    case 'text':
      return `text-${index}`;
    case 'tool':
      return item.invocation.toolCallId;
    case 'approval':
      return item.approval.approvalId;
  }
}
