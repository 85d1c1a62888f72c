'use client';

import { type ReactNode, useId } from 'react';
import { useApprovalCard } from '../card-context.ts';
import { CallArguments } from './call-arguments.tsx';

/** The arguments of the question or of its answer: once, or as written and as run if the two differ. */
export function ShownArguments() {
  const { question, words } = useApprovalCard();
  const { answer } = question;
  const { input, runsAs } = answer?.input === undefined ? question : answer;
  if (answer?.value !== undefined) return <CallArguments input={answer.value} label={words.showJson} />;
  const written = <CallArguments input={input} label={words.showJson} />;
  if (runsAs === undefined) return written;
  return (
    <>
      <Form label={words.asWritten}>{written}</Form>
      <Form label={words.asRun}>
        <CallArguments input={runsAs} label={words.showJson} />
      </Form>
    </>
  );
}

function Form({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would group form fields; this groups what is read
    <div role="group" aria-labelledby={id} data-countersign="card-arguments-form">
      <p id={id} data-countersign="card-arguments-label">
        {label}
      </p>
      {children}
    </div>
  );
}
