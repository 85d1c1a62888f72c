'use client';

import type { FieldProps } from './field-props.ts';
import { ChoiceField } from './fields/choice-field.tsx';
import { KeptField, ReplacedField } from './fields/kept-field.tsx';
import { ListField } from './fields/list-field.tsx';
import { MomentField } from './fields/moment-field.tsx';
import { ObjectField } from './fields/object-field.tsx';
import { TextField } from './fields/text-field.tsx';
import { UnionField } from './fields/union-field.tsx';

/** One field of a form, rendered by its kind, with all nested fields. */
export function EditField(props: FieldProps) {
  if (props.draft.type === 'kept') return <KeptField {...props} value={props.draft.value} />;
  if (props.initial.type === 'kept') {
    return (
      <ReplacedField {...props}>
        <FieldOfKind {...props} />
      </ReplacedField>
    );
  }
  return <FieldOfKind {...props} />;
}

function FieldOfKind(props: FieldProps) {
  const { field } = props;
  switch (field.type) {
    case 'text':
    case 'number':
    case 'json':
      return <TextField {...props} field={field} />;
    case 'moment':
      return <MomentField {...props} field={field} />;
    case 'yes-no':
    case 'choice':
      return <ChoiceField {...props} field={field} />;
    case 'list':
      return <ListField {...props} field={field} renderField={EditField} />;
    case 'object':
      return <ObjectField {...props} field={field} renderField={EditField} />;
    case 'union':
      return <UnionField {...props} field={field} renderField={EditField} />;
  }
}
