'use client';

import { useToolEvents } from 'countersign/plugins/tool-events/react';
import { useEffect, useEffectEvent, useRef } from 'react';
import layout from '../../_frame/page-layout.module.css';
import { Composer } from '../../chats/_chat/composer.tsx';
import { FailureBanner } from '../../chats/_chat/failure-banner.tsx';
import transcript from '../../chats/_chat/transcript.module.css';
import { useFollowBottom } from '../../chats/_chat/use-follow-bottom.ts';
import { Introduction } from './introduction.tsx';
import { ToolEventsMessageView } from './tool-events-message.tsx';

/**
 * One conversation, from its stored blocks when it has an id.
 *
 * @param onBegun called with the id when the conversation has one
 */
export function ToolEventsConversation({
  conversationId: given,
  onBegun,
}: {
  conversationId: string | undefined;
  onBegun: (id: string) => void;
}) {
  const conversation = useToolEvents({ conversationId: given });
  const { messages, asked, phase, failure, conversationId } = conversation;
  const area = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useFollowBottom(area, content, messages.filter(({ role }) => role === 'user').length);
  const begun = useEffectEvent(onBegun);
  useEffect(() => {
    if (conversationId !== undefined) begun(conversationId);
  }, [conversationId]);

  return (
    <main className={layout.conversation} data-phase={phase}>
      <section
        className={transcript.area}
        ref={area}
        tabIndex={-1}
        data-yields-focus=""
        data-conversation=""
        aria-label="Conversation"
      >
        <div className={transcript.column} ref={content}>
          {messages.length === 0 && given === undefined && phase === 'idle' && (
            <Introduction onChoose={conversation.send} />
          )}
          {messages.map((message, index) => (
            <ToolEventsMessageView
              key={message.id}
              message={message}
              asked={index === messages.length - 1 ? asked : undefined}
              isRunning={index === messages.length - 1 && phase === 'running'}
              onToggle={conversation.toggle}
              onReadOutput={conversation.readOutput}
              onRetry={index === messages.length - 1 && phase === 'idle' ? conversation.retryCall : undefined}
              onAnswer={conversation.answer}
            />
          ))}
        </div>
      </section>
      <div>
        {failure !== undefined && (
          <FailureBanner
            failure={{ kind: 'refused', title: 'Something went wrong', detail: failure }}
            onRetry={conversation.retry}
          />
        )}
        <Composer
          phase={phase}
          isNew={given === undefined}
          place="tool-events"
          onSend={conversation.send}
          onStop={conversation.stop}
        />
      </div>
    </main>
  );
}
