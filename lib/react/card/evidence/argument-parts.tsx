'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { useApprovalCard } from '../card-context.ts';
import { Glyph } from '../glyph.tsx';
import { ShownArguments } from './shown-arguments.tsx';

/**
 * The arguments in readable form, with the exact JSON on demand. While they are edited, the form replaces
 * them.
 */
export function CardArguments({ children, ...rest }: ComponentPropsWithoutRef<'div'>) {
  const { canApprove, editing } = useApprovalCard();
  const { stage } = editing;
  const form = canApprove && stage.type === 'open' && stage.form;
  return (
    <div data-countersign="card-arguments" data-editing={form !== false || undefined} {...rest}>
      {form
        ? form.render()
        : (children ?? (
            <>
              <ShownArguments />
              <CardEdit />
            </>
          ))}
    </div>
  );
}

/**
 * The button that opens the form. Renders nothing if this person may not edit. By default it is next to the
 * JSON in `Arguments`. To place it elsewhere, pass children to `Arguments`.
 */
export function CardEdit({ children, onClick, ...rest }: ComponentPropsWithoutRef<'button'>) {
  const { question, words, canApprove, editing } = useApprovalCard();
  const { type } = editing.stage;
  if (!canApprove || !question.mayEdit || type === 'open') return null;
  return (
    <>
      <button
        type="button"
        data-countersign="card-edit"
        aria-disabled={type === 'loading'}
        onClick={(event) => {
          onClick?.(event);
          if (type !== 'loading' && !event.defaultPrevented) editing.open();
        }}
        {...rest}
      >
        {children ?? (
          <>
            <Glyph name="pen" size={16} />
            {words.edit}
          </>
        )}
      </button>
      <p data-countersign="card-edit-status" role="status">
        {type === 'loading' && <span>{words.loadingForm}</span>}
        {editing.stage.type === 'failed' && (
          <span>
            {words.formFailed} {editing.stage.reason}
          </span>
        )}
      </p>
    </>
  );
}
