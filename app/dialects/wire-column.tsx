'use client';

import { visibleText } from 'countersign/react';
import { useId, useRef } from 'react';
import { Button } from '../_ui/button.tsx';
import type { Wire, WireQuestion, WireView } from './_wires/wire.ts';
import { phaseOf, questionOf, type WirePhase, type WireState } from './_wires/wire-state.ts';
import { FrameList } from './frame-list.tsx';
import styles from './wire-column.module.css';

const phaseTexts: Record<WirePhase, string> = {
  idle: 'Not started',
  running: 'Running',
  waiting: 'Waiting for your answer',
  failed: 'Failed',
  done: 'Done',
};

/** One wire: its frames, and what its client knows. */
export function WireColumn({
  wire: { id, title, address },
  state,
  onAnswer,
}: {
  wire: Wire;
  state: WireState;
  onAnswer: (approvalId: string, approved: boolean) => void;
}) {
  const headingId = useId();
  const column = useRef<HTMLElement>(null);
  const { view, frames, frameCount } = state;
  const phase = phaseOf(state);
  const question = questionOf(state);
  const failure = state.failure ?? view.failure;

  return (
    <section
      className={styles.column}
      ref={column}
      tabIndex={-1}
      aria-labelledby={headingId}
      data-wire={id}
      data-phase={phase}
    >
      <header>
        <h3 className={styles.title} id={headingId}>
          {title}
        </h3>
        <p className={styles.address}>
          <code>{address}</code>
        </p>
        <p className={styles.phase}>{phaseTexts[phase]}</p>
      </header>
      <FrameList name={title} frames={frames} frameCount={frameCount} />
      <div className={styles.view}>
        <h4 className={styles.label}>What the client knows</h4>
        <Known view={view} />
        {failure !== undefined && <p className={styles.failure}>{visibleText(failure)}</p>}
        {question && (
          <AskedQuestion
            question={question}
            title={title}
            onAnswer={(approved) => {
              // The buttons leave the page, and the focus stays in the column.
              column.current?.focus({ preventScroll: true });
              onAnswer(question.approvalId, approved);
            }}
          />
        )}
      </div>
    </section>
  );
}

function Known({ view: { text, calls, question } }: { view: WireView }) {
  if (text === '' && calls.length === 0 && !question) return <p className={styles.nothing}>Nothing yet</p>;
  return (
    <>
      {calls.length > 0 && (
        <ul className={styles.calls}>
          {calls.map(({ id, name, state, detail }) => (
            <li key={id} data-call={state}>
              <strong>{visibleText(name)}</strong> <code>{state}</code>
              {detail !== undefined && <span className={styles.detail}>{visibleText(detail)}</span>}
            </li>
          ))}
        </ul>
      )}
      {text !== '' && <p className={styles.text}>{visibleText(text)}</p>}
    </>
  );
}

function AskedQuestion({
  question: { name, detail },
  title,
  onAnswer,
}: {
  question: WireQuestion;
  title: string;
  onAnswer: (approved: boolean) => void;
}) {
  return (
    <fieldset className={styles.question}>
      <legend className="visually-hidden">Approval needed over {title}</legend>
      <p>
        <strong>{visibleText(name)}</strong>
        <span className={styles.detail}>{visibleText(detail)}</span>
      </p>
      <div className={styles.answers}>
        <Button onClick={() => onAnswer(false)}>Deny</Button>
        <Button kind="pen" onClick={() => onAnswer(true)}>
          Approve
        </Button>
      </div>
    </fieldset>
  );
}
