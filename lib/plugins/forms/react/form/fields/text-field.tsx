'use client';

import { useState } from 'react';
import { visibleText } from '../../../../../client/text/visible-text.ts';
import { emptied } from '../../../client/field-draft.ts';
import { defaultNotes } from '../../../client/field-texts.ts';
import { FieldFrame } from '../field-frame.tsx';
import type { FieldProps } from '../field-props.ts';
import { useForm } from '../form-context.ts';
import { NullBox } from './null-box.tsx';

/** In characters. Longer or multi-line texts use a box that grows. */
const longText = 60;

const keyboards = { email: 'email', uri: 'url' } as const;

/** A text, a number or JSON, as it is typed. */
export function TextField(props: FieldProps<'text' | 'number' | 'json'>) {
  const { field, draft, place, onChange } = props;
  const { words } = useForm();
  const text = draft.type === 'text' ? draft.text : '';
  const [isLong] = useState(
    field.type === 'json' || (field.type === 'text' && (text.length > longText || text.includes('\n'))),
  );
  const shown = visibleText(text);
  // Characters that the control cannot show: see `visibleText`.
  const notes = [...(shown === text ? [] : [shown]), ...defaultNotes(field.default, words.defaultValue)];
  const write = (next: string) => onChange(next === '' ? emptied(props) : { type: 'text', text: next });
  return (
    <FieldFrame
      field={field}
      place={place}
      notes={notes}
      below={field.type !== 'json' && <NullBox {...props} />}
    >
      {(control) =>
        isLong ? (
          <textarea
            {...control}
            data-countersign="field-control"
            data-code={field.type === 'json' || undefined}
            rows={3}
            dir={field.type === 'json' ? 'ltr' : 'auto'}
            spellCheck={field.type !== 'json'}
            value={text}
            onChange={(event) => write(event.target.value)}
          />
        ) : (
          <input
            {...control}
            data-countersign="field-control"
            // The browser's number field drops input that it cannot parse, and the mouse wheel changes its
            // value.
            type="text"
            dir={field.type === 'text' && text !== '' ? 'auto' : undefined}
            inputMode={keyboardOf(field)}
            autoComplete="off"
            value={text}
            onChange={(event) => write(event.target.value)}
          />
        )
      }
    </FieldFrame>
  );
}

function keyboardOf(field: FieldProps<'text' | 'number' | 'json'>['field']) {
  if (field.type === 'number') return 'decimal';
  return field.type === 'text' && field.format ? keyboards[field.format] : undefined;
}
