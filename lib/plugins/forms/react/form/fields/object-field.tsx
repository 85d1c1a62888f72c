'use client';

import type { ReactElement } from 'react';
import { readableField } from '../../../../../client/text/readable-field.ts';
import { pathWithin } from '../../../../../protocol/field-path.ts';
import type { Draft } from '../../../client/field-draft.ts';
import { FieldGroup } from '../field-group.tsx';
import type { FieldProps } from '../field-props.ts';

/**
 * An object's fields in the order of its schema. Properties that the schema does not name are kept but not
 * shown. Neither is a constant that a choice sets.
 */
export function ObjectField({
  field,
  draft,
  initial,
  place,
  onChange,
  renderField: Inner,
}: FieldProps<'object'> & { renderField: (props: FieldProps) => ReactElement }) {
  const fields = draft.type === 'object' ? draft.fields : {};
  const began = initial.type === 'object' ? initial.fields : {};
  const shown = field.properties.filter(({ isDiscriminator }) => !isDiscriminator);
  const rest = draft.type === 'object' ? draft.rest : {};
  return (
    <FieldGroup
      field={field}
      draft={draft}
      initial={initial}
      place={place}
      isOpen={draft.type === 'object'}
      onChange={onChange}
    >
      {shown.map(({ name, isRequired, field: inner }) => (
        <Inner
          key={name}
          field={inner}
          draft={fields[name] ?? absent}
          initial={began[name] ?? absent}
          place={{ path: pathWithin(place.path, name), name: readableField(name), isRequired }}
          onChange={(next) => onChange({ type: 'object', fields: { ...fields, [name]: next }, rest })}
        />
      ))}
    </FieldGroup>
  );
}

const absent: Draft = { type: 'absent' };
