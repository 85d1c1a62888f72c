'use client';

import { useEffect, useId, useRef, useState } from 'react';
import { parseFieldErrors } from '../../../client/http/field-errors.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { parseJson } from '../../../protocol/json.ts';
import type { FilledForm, OpenForm } from '../answer/editing.ts';
import { useApprovalCard } from '../card-context.ts';
import { FormFrame } from './form-frame.tsx';

/** Edits the arguments of a question as JSON text. The server checks them. */
export const openJson: OpenForm = async ({ input }, earlier) => {
  return { ...jsonForm(JSON.stringify(earlier ?? input, null, 2), input), isChanged: false };
};

/** @param before the last value of the text while it was JSON */
function jsonForm(text: string, before: unknown): FilledForm {
  const parsed = parseJson(text);
  const value = parsed === undefined ? before : parsed;
  return {
    value,
    problems: parsed === undefined ? 1 : 0,
    isChanged: true,
    render: () => <JsonForm text={text} next={(next) => jsonForm(next, value)} />,
  };
}

function JsonForm({ text, next }: { text: string; next: (text: string) => FilledForm }) {
  const { editing, words, fieldErrors } = useApprovalCard();
  const { stage, problems: unread, change } = editing;
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const attempts = stage.type === 'open' ? stage.attempts : 0;
  const [refused, setRefused] = useState({ text, fieldErrors });
  if (refused.fieldErrors !== fieldErrors) setRefused({ text, fieldErrors });
  const problems = [
    ...(attempts > 0 && unread > 0 ? [words.notJson] : []),
    // A text that has changed since may be correct.
    ...parseFieldErrors(refused.text === text ? fieldErrors : undefined).map(({ path, message }) =>
      [path, message ?? words.notAccepted].filter(Boolean).join(': '),
    ),
  ];
  const shown = visibleText(text);
  useEffect(() => {
    if (attempts > 0 || fieldErrors !== undefined) box.current?.focus();
  }, [attempts, fieldErrors]);
  return (
    <FormFrame legend={words.editing}>
      <label data-countersign="field-label" htmlFor={id}>
        {words.json}
      </label>
      <textarea
        ref={box}
        id={id}
        data-countersign="field-control"
        data-code
        rows={Math.min(20, text.split('\n').length)}
        dir="ltr"
        spellCheck={false}
        aria-describedby={`${id}-notes`}
        aria-invalid={problems.length > 0 || undefined}
        value={text}
        onChange={(event) => change(next(event.target.value))}
      />
      <div id={`${id}-notes`}>
        {problems.map((problem) => (
          <p key={problem} data-countersign="field-problem">
            {visibleText(problem)}
          </p>
        ))}
        {/* Characters that the control cannot show. */}
        {shown !== text && <p data-countersign="field-hint">{shown}</p>}
      </div>
    </FormFrame>
  );
}
