'use client';

import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { useId } from 'react';
import type { InboxFilter } from '../../client/inbox/filter-questions.ts';
import type { Question } from '../../client/question.ts';
import { visibleText } from '../../client/text/visible-text.ts';
import { usePersonName } from '../person/person.tsx';
import { useInboxWords } from '../words/inbox-words.ts';

type Choosable = 'tool' | 'risk' | 'asker' | 'age' | 'sort';
type Option = { readonly value: string; readonly label: string };

const risks = ['high', 'medium', 'low'] as const;
const ages = ['hour', 'day', 'older'] as const;
const sorts = ['deadline', 'risk'] as const;

/** Props of `FilterRow`, and any attribute of its `<search>`. */
export type FilterRowProps = ComponentPropsWithoutRef<'search'> & {
  readonly filter: InboxFilter;
  readonly setFilter: (filter: InboxFilter) => void;
  /** The questions from which the options are derived. */
  readonly questions: readonly Question[];
  readonly isSortable: boolean;
  /** Shown after the options. */
  readonly children?: ReactNode;
};

/**
 * A filter by text, tool, risk, asker and age, and a sort order. Shows only controls with at least two
 * options.
 */
export function FilterRow({ filter, setFilter, questions, isSortable, children, ...rest }: FilterRowProps) {
  const words = useInboxWords();
  const nameOf = usePersonName();
  const present = risks.filter((risk) => questions.some((question) => question.risk === risk));
  const choices: readonly (readonly [name: Choosable, options: readonly Option[]])[] = [
    [
      'tool',
      distinct(questions.map(({ toolName, title }) => ({ value: toolName, label: visibleText(title) }))),
    ],
    ['risk', present.map((value) => ({ value, label: words.risks[value] }))],
    [
      'asker',
      distinct(
        questions.flatMap(({ askedBy }) => (askedBy ? [{ value: askedBy.id, label: nameOf(askedBy) }] : [])),
      ),
    ],
    ['age', ages.map((value) => ({ value, label: words.ages[value] }))],
    ...(isSortable ? [['sort', sorts.map((value) => ({ value, label: words.sorts[value] }))] as const] : []),
  ];

  return (
    <search aria-label={words.filters} data-countersign="inbox-filters" {...rest}>
      <input
        type="search"
        data-countersign="field-control"
        aria-label={words.search}
        placeholder={words.search}
        value={filter.text ?? ''}
        onChange={(event) => setFilter({ ...filter, text: event.target.value })}
      />
      {choices.map(([name, options]) => (
        <Choice
          key={name}
          label={words[name]}
          value={filter[name]}
          first={name === 'sort' ? words.oldestFirst : words.any}
          options={options}
          onChoose={(value) => setFilter({ ...filter, [name]: value || undefined })}
        />
      ))}
      {children}
    </search>
  );
}

/** A single choice needs no filter. */
function Choice({
  label,
  value = '',
  first,
  options,
  onChoose,
}: {
  label: string;
  value: string | undefined;
  /** The option without a value. */
  first: string;
  options: readonly Option[];
  onChoose: (value: string) => void;
}) {
  const id = useId();
  if (options.length < 2 && value === '') return null;
  return (
    <label data-countersign="inbox-choice" htmlFor={id}>
      <span>{label}</span>
      <select
        id={id}
        data-countersign="field-control"
        value={value}
        onChange={(event) => onChoose(event.target.value)}
      >
        <option value="">{first}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

function distinct(options: readonly Option[]): Option[] {
  return [...new Map(options.map((option) => [option.value, option])).values()];
}
