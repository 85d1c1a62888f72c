'use client';

import { useState } from 'react';
import { emptied } from '../../../client/field-draft.ts';
import { defaultNotes } from '../../../client/field-texts.ts';
import { controlText, momentText } from '../../../client/moment.ts';
import { FieldFrame } from '../field-frame.tsx';
import type { FieldProps } from '../field-props.ts';
import { useForm } from '../form-context.ts';
import { NullBox } from './null-box.tsx';

const types = { date: 'date', time: 'time', 'date-time': 'datetime-local' } as const;

/** A date or a time, chosen with the browser's own control, in this person's time zone. */
export function MomentField(props: FieldProps<'moment'>) {
  const { field, draft, initial, place, onChange } = props;
  const { words } = useForm();
  const text = draft.type === 'text' ? draft.text : '';
  // Text that is being typed is not rewritten, which would move the cursor.
  const [typed, setTyped] = useState({ control: '', text: '' });
  const shown = typed.text === text ? typed.control : controlText(field.precision, text);
  const before = initial.type === 'text' ? initial.text : '';

  function write(input: HTMLInputElement): void {
    const { value: control } = input;
    const next = control === '' ? '' : momentText(field, control, before);
    setTyped({ control, text: next });
    // A partially filled control has no value, but is not empty.
    const isEmpty = control === '' && !input.validity.badInput;
    onChange(isEmpty ? emptied(props) : { type: 'text', text: next });
  }

  const zone = field.precision === 'date-time' ? [words.localZone(localZone())] : [];
  const notes = [...zone, ...defaultNotes(field.default, words.defaultValue)];
  return (
    <FieldFrame field={field} place={place} notes={notes} below={<NullBox {...props} />}>
      {(control) => (
        <input
          {...control}
          data-countersign="field-control"
          type={types[field.precision]}
          // With seconds only if they are not zero.
          step={/T?\d\d:\d\d:/.test(shown) ? 1 : undefined}
          value={shown}
          onChange={(event) => write(event.target)}
          onBlur={(event) => event.target.validity.badInput && write(event.target)}
        />
      )}
    </FieldFrame>
  );
}

function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
