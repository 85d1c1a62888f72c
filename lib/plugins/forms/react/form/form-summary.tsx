'use client';

import { type RefObject, useEffect, useId } from 'react';
import { readableField } from '../../../../client/text/readable-field.ts';
import { visibleText } from '../../../../client/text/visible-text.ts';
import type { FieldPath } from '../../../../protocol/field-path.ts';
import type { Field } from '../../client/field.ts';
import { fieldAt, type PathStep } from '../../client/field-at.ts';
import type { Draft } from '../../client/field-draft.ts';
import type { FieldProblem } from '../../client/read-draft.ts';
import { type FieldWords, fieldId, useForm } from './form-context.ts';

/**
 * Lists every problem above the form, each with a link to its field. It receives focus when an answer was not
 * sent.
 */
export function FormSummary({
  field,
  draft,
  summary,
}: {
  field: Field;
  draft: Draft;
  summary: RefObject<HTMLDivElement | null>;
}) {
  const { words, problems, id: formId = '', sought } = useForm();
  const id = useId();
  useEffect(() => {
    if (sought) focusField(summary.current?.ownerDocument.getElementById(fieldId(formId, sought.path)));
  }, [sought, formId, summary]);
  if (problems.size === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would group controls; this groups links
    <div ref={summary} role="group" aria-labelledby={id} tabIndex={-1} data-countersign="form-summary">
      <p id={id} data-countersign="form-summary-heading">
        {words.problemSummary}
      </p>
      <ul>
        {[...problems].map(([path, problem]) => (
          <li key={path}>
            <ProblemLink
              path={path === '' && field.type === 'object' ? undefined : path}
              text={problemLine(fieldAt(field, draft, path).steps, problem, words)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A problem of the whole value has no field to link to. A field may be on another page of its list. */
function ProblemLink({ path, text }: { path: FieldPath | undefined; text: string }) {
  const { id: formId = '', seek } = useForm();
  if (path === undefined) return <span>{text}</span>;
  return (
    <a
      href={`#${encodeURIComponent(fieldId(formId, path))}`}
      onClick={(event) => {
        // The page's URL does not change, because the app may route by it.
        event.preventDefault();
        seek?.({ path });
      }}
    >
      {text}
    </a>
  );
}

function focusField(field: HTMLElement | null | undefined): void {
  const control = field?.matches('fieldset, div') && field.querySelector<HTMLElement>(controls);
  (control || field)?.focus();
}

const controls = 'input:checked, input:not([type="radio"]), input, textarea, select, button';

/** “Items · Item 2 · Sku: Required.” */
function problemLine(steps: readonly PathStep[], problem: FieldProblem, words: FieldWords): string {
  const names = steps.map(({ key, title }) =>
    typeof key === 'number' ? words.item(key + 1) : visibleText(title ?? readableField(key)),
  );
  const text = words.problem(problem);
  return names.length === 0 ? text : `${names.join(' · ')}: ${text}`;
}
