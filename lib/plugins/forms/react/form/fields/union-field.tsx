'use client';

import type { ReactElement } from 'react';
import { readableField } from '../../../../../client/text/readable-field.ts';
import { visibleText } from '../../../../../client/text/visible-text.ts';
import { constantOf, type Field } from '../../../client/field.ts';
import { type Draft, newDraft } from '../../../client/field-draft.ts';
import { optionName } from '../../../client/field-texts.ts';
import type { FieldProps } from '../field-props.ts';
import { type FieldWords, useForm } from '../form-context.ts';
import { emptyOptions, type Option, Options } from '../options.tsx';

/** A value of one of several kinds: a choice of the kind, and the field of that kind. */
export function UnionField({
  renderField: Inner,
  ...props
}: FieldProps<'union'> & { renderField: (props: FieldProps) => ReactElement }) {
  const { field, draft, initial, place, onChange } = props;
  const { words } = useForm();
  const drafts = draft.type === 'branch' ? draft.drafts : {};
  const began = initial.type === 'branch' ? initial.drafts : {};
  const index = draft.type === 'branch' ? draft.index : undefined;
  const branch = index === undefined ? undefined : field.branches[index];
  const options = field.branches.map((one, at): Option => {
    const kept = { ...began, ...drafts };
    const chosen: Draft = { type: 'branch', index: at, drafts: { ...kept, [at]: kept[at] ?? newDraft(one) } };
    return { key: String(at), label: branchName(one, words), draft: chosen };
  });
  return (
    <div data-countersign="field-union">
      <Options
        {...props}
        // Problems of the value are shown at its own field.
        place={branch ? { ...place, path: `${place.path}#kind` } : place}
        chosen={index === undefined ? draft.type : String(index)}
        options={[...emptyOptions(props, words), ...options]}
      />
      {branch && index !== undefined && (
        <Inner
          key={index}
          field={branch}
          draft={drafts[index] ?? absent}
          initial={began[index] ?? absent}
          place={{ path: place.path, name: branchName(branch, words), isRequired: true, isInGroup: true }}
          onChange={(next) => onChange({ type: 'branch', index, drafts: { ...drafts, [index]: next } })}
        />
      )}
    </div>
  );
}

/** A branch's title, its constants, its kind, or the names of its fields. */
function branchName(branch: Field, words: FieldWords): string {
  if (branch.title !== undefined) return visibleText(branch.title);
  if (branch.type !== 'object') {
    const constant = constantOf(branch);
    return constant === undefined ? words.kinds[branch.type] : optionName(branch, constant, words);
  }
  const constants = branch.properties.filter(({ isDiscriminator }) => isDiscriminator);
  const named = constants.map(({ field }) =>
    readableField(optionName(field, constantOf(field) ?? '', words)),
  );
  const names = branch.properties.map(({ name, field }) => visibleText(field.title ?? readableField(name)));
  const parts = named.length > 0 ? named : names.slice(0, 3);
  return parts.length === 0 ? words.kinds.object : parts.join(', ');
}

const absent: Draft = { type: 'absent' };
