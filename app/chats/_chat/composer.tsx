'use client';

import type { ChatPhase } from 'countersign/react';
import type { KeyboardEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../_ui/button.tsx';
import { Icon } from '../../_ui/icon.tsx';
import styles from './composer.module.css';
import { FoldedComposer } from './folded-composer.tsx';
import { useUnsentText } from './use-unsent-text.ts';

const hints: Record<ChatPhase, string> = {
  idle: 'Enter sends · Shift + Enter starts a new line',
  running: 'You can keep typing, and send when the assistant is done.',
  waiting: 'Sending a message cancels this request.',
  failed: 'Try again to continue.',
};

/**
 * The place to write. Enter sends, Shift and Enter starts a new line; nothing here can answer a question. While a
 * question is open and nothing was typed, it is one line.
 *
 * @param asked the id of the question that this person can answer here
 * @param isNew takes the focus at once
 * @param place whose unsent text it has: a chat's id
 */
export function Composer({
  phase,
  asked,
  isNew = false,
  place,
  onSend,
  onStop,
}: {
  phase: ChatPhase;
  asked?: string;
  isNew?: boolean;
  place: string;
  onSend: (text: string) => void;
  onStop: () => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useUnsentText(place, field);
  const [unfoldedFor, setUnfoldedFor] = useState<string>();
  const isFolded = asked !== undefined && asked !== unfoldedFor && text === '';
  const canStop = phase === 'running' || phase === 'waiting';
  const canSend = phase !== 'running' && text.trim() !== '';

  useEffect(() => {
    if (isNew || unfoldedFor !== undefined) field.current?.focus({ preventScroll: true });
  }, [isNew, unfoldedFor]);

  const send = () => {
    if (!canSend) return;
    setText('');
    onSend(text.trim());
  };

  if (isFolded) return <FoldedComposer onUnfold={() => setUnfoldedFor(asked)} onStop={onStop} />;
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className={styles.box}>
        <textarea
          ref={field}
          className={styles.field}
          aria-label="Message"
          aria-describedby="composer-hint"
          placeholder="Write a message"
          rows={1}
          data-yields-focus=""
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            // Emptied again, the box stays open.
            setUnfoldedFor(asked);
          }}
          onKeyDown={(event) => {
            if (!isSendKey(event)) return;
            event.preventDefault();
            send();
          }}
        />
        {canStop && (
          <Button className={styles.stop} aria-label="Stop" title="Stop" onClick={onStop}>
            <Icon name="stop" size={18} />
            <span className={styles.word}>Stop</span>
          </Button>
        )}
        {phase !== 'running' && (
          <Button
            kind="pen"
            type="submit"
            className={styles.send}
            aria-label="Send"
            title="Send"
            disabled={!canSend}
          >
            <Icon name="send" />
          </Button>
        )}
      </div>
      <p className={styles.hint} id="composer-hint" data-phase={phase}>
        {hints[phase]}
      </p>
    </form>
  );
}

function isSendKey(event: KeyboardEvent): boolean {
  // Enter ends a word in Japanese, Chinese or Korean input before it can end a message.
  const isComposing = event.nativeEvent.isComposing;
  const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
  return event.key === 'Enter' && isPlain && !isComposing;
}
