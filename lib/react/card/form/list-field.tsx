'use client';

import type { ReactElement } from 'react';
import { type Draft, newDraft, nextKey } from '../../../client/form/field-draft.ts';
import { pathWithin } from '../../../client/form/read-draft.ts';
import { Glyph } from '../glyph.tsx';
import { nameOf } from './field-frame.tsx';
import { FieldGroup } from './field-group.tsx';
import type { FieldProps } from './field-props.ts';
import { useForm } from './form-context.ts';

/** A list of items, each with its fields. Items can be added and removed. */
export function ListField({
  field,
  draft,
  initial,
  place,
  onChange,
  renderField: Item,
}: FieldProps<'list'> & { renderField: (props: FieldProps) => ReactElement }) {
  const { words } = useForm();
  const name = nameOf(field, place);
  const items = draft.type === 'list' ? draft.items : [];
  const began = initial.type === 'list' ? initial.items : [];
  const change = (next: typeof items) => onChange({ type: 'list', items: next });
  return (
    <FieldGroup field={field} place={place} isOpen={draft.type === 'list'} onChange={onChange}>
      {items.map(({ key, draft: item }, index) => {
        const label = words.item(index + 1);
        return (
          <div key={key} data-countersign="field-item">
            <Item
              field={field.item}
              draft={item}
              initial={began.find((one) => one.key === key)?.draft ?? absent}
              place={{ path: pathWithin(place.path, index), name: label, isRequired: true }}
              onChange={(next) => change(items.map((one) => (one.key === key ? { key, draft: next } : one)))}
            />
            <button
              type="button"
              data-countersign="field-button"
              aria-label={`${words.remove}: ${name}, ${label}`}
              onClick={() => change(items.filter((one) => one.key !== key))}
            >
              <Glyph name="cross" size={16} />
            </button>
          </div>
        );
      })}
      <button
        type="button"
        data-countersign="field-button"
        aria-label={`${words.add}: ${name}`}
        onClick={() => change([...items, { key: nextKey(items), draft: newDraft(field.item) }])}
      >
        {words.add}
      </button>
    </FieldGroup>
  );
}

const absent: Draft = { type: 'absent' };
