'use client';

import { textOf, visibleText } from 'countersign/react';
import { useState } from 'react';
import { Button } from '../../_ui/button.tsx';
import { Icon } from '../../_ui/icon.tsx';
import type { ChatMessage } from './chat-message.ts';
import { MessageEditor } from './message-editor.tsx';
import styles from './user-message.module.css';

/** What the person wrote. `onEdit` is present for the last message only, and replaces everything after it. */
export function UserMessage({
  message,
  onEdit,
}: {
  message: ChatMessage;
  onEdit: ((text: string) => void) | undefined;
}) {
  const [isEditing, setEditing] = useState(false);
  const text = textOf(message);

  if (isEditing && onEdit !== undefined) {
    return (
      <MessageEditor
        text={text}
        onCancel={() => setEditing(false)}
        onSave={(changed) => {
          setEditing(false);
          onEdit(changed);
        }}
      />
    );
  }
  return (
    <article className={styles.message} aria-label="You">
      <p className={styles.bubble}>{visibleText(text)}</p>
      {onEdit !== undefined && (
        <Button kind="quiet" className={styles.edit} onClick={() => setEditing(true)}>
          <Icon name="edit" size={16} />
          Edit
        </Button>
      )}
    </article>
  );
}
