'use client';

import { useId } from 'react';
import { approvalKeys } from '../_chat/approval-keys.ts';
import { useCommandKey } from '../_chat/use-command-key.ts';
import styles from './approval-answer.module.css';
import { Button } from './button.tsx';

const reasonLength = 2000;

/** The two answers and a reason to go with them. The shortcuts hold while the focus is inside the card. */
export function ApprovalAnswer({
  reason,
  onReason,
  answering,
}: {
  reason: string;
  onReason: (reason: string) => void;
  answering: { isArmed: boolean; given: boolean | undefined; answer: (approved: boolean) => void };
}) {
  const command = useCommandKey();
  const reasonId = useId();
  const isIdle = answering.isArmed;
  return (
    <div className={styles.answer}>
      <label className={styles.label} htmlFor={reasonId}>
        Reason <span className={styles.optional}>optional, the assistant is told</span>
      </label>
      <textarea
        id={reasonId}
        className={styles.reason}
        aria-label="Reason"
        rows={1}
        maxLength={reasonLength}
        value={reason}
        onChange={(event) => onReason(event.target.value)}
      />
      <div className={styles.buttons}>
        <Button
          className={styles.button}
          aria-disabled={!isIdle}
          aria-keyshortcuts={approvalKeys.deny}
          onClick={() => answering.answer(false)}
        >
          Deny
          <span className={styles.keys} aria-hidden="true">
            {command} .
          </span>
        </Button>
        <Button
          kind="pen"
          className={styles.button}
          aria-disabled={!isIdle}
          aria-keyshortcuts={approvalKeys.approve}
          onClick={() => answering.answer(true)}
        >
          Approve
          <span className={styles.keys} aria-hidden="true">
            {command} ↵
          </span>
        </Button>
      </div>
    </div>
  );
}
