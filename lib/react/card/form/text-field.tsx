'use client';

import { useState } from 'react';
import { FieldFrame } from './field-frame.tsx';
import { emptied, type FieldProps } from './field-props.ts';

/** Longer texts, and those of several lines, are written in a box that grows. In characters. */
const longText = 60;

/** A text, a number or JSON, as it is typed. */
export function TextField(props: FieldProps<'text' | 'number' | 'json'>) {
  const { field, draft, place, onChange } = props;
  const text = draft.type === 'text' ? draft.text : '';
  const [isLong] = useState(
    field.type === 'json' || (field.type === 'text' && (text.length > longText || text.includes('\n'))),
  );
  const write = (next: string) => onChange(next === '' ? emptied(props) : { type: 'text', text: next });
  return (
    <FieldFrame field={field} place={place}>
      {(control) =>
        isLong ? (
          <textarea
            {...control}
            data-countersign="field-control"
            data-code={field.type === 'json' || undefined}
            rows={3}
            spellCheck={field.type !== 'json'}
            value={text}
            onChange={(event) => write(event.target.value)}
          />
        ) : (
          <input
            {...control}
            data-countersign="field-control"
            // A number field of the browser drops what it cannot read, and changes its value under the wheel.
            type="text"
            inputMode={field.type === 'number' ? 'decimal' : undefined}
            autoComplete="off"
            value={text}
            onChange={(event) => write(event.target.value)}
          />
        )
      }
    </FieldFrame>
  );
}
