'use client';

import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { useId } from 'react';
import type { InboxFilter } from '../../client/inbox/filter-questions.ts';
import type { Question } from '../../client/question.ts';
import { usePersonName } from '../person/person.tsx';
import { useInboxWords } from '../words/use-words.ts';

type Option = { readonly value: string; readonly label: string };

const risks = ['high', 'medium', 'low'] as const;
const ages = ['hour', 'day', 'older'] as const;
const sorts = ['deadline', 'risk'] as const;

/** What `FilterRow` takes, and any attribute of its `<search>`. */
export type FilterRowProps = ComponentPropsWithoutRef<'search'> & {
  readonly filter: InboxFilter;
  readonly setFilter: (filter: InboxFilter) => void;
  /** Those that the choices are made from. */
  readonly questions: readonly Question[];
  readonly isSortable: boolean;
  /** Behind the choices. */
  readonly children?: ReactNode;
};

/** A filter by words, tool, risk, asker and age, and an order. Shows only what has at least two choices. */
export function FilterRow({ filter, setFilter, questions, isSortable, children, ...rest }: FilterRowProps) {
  const words = useInboxWords();
  const nameOf = usePersonName();
  const tools = distinct(questions.map(({ toolName, title }) => ({ value: toolName, label: title })));
  const askers = distinct(
    questions.flatMap(({ askedBy }) => (askedBy ? [{ value: askedBy.id, label: nameOf(askedBy) }] : [])),
  );
  const present = risks.filter((risk) => questions.some((question) => question.risk === risk));

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
      <Choice
        label={words.tool}
        value={filter.tool}
        options={tools}
        onChoose={(tool) => setFilter({ ...filter, tool })}
      />
      <Choice
        label={words.risk}
        value={filter.risk}
        options={present.map((value) => ({ value, label: words.risks[value] }))}
        onChoose={(value) => setFilter({ ...filter, risk: risks.find((risk) => risk === value) })}
      />
      <Choice
        label={words.asker}
        value={filter.asker}
        options={askers}
        onChoose={(asker) => setFilter({ ...filter, asker })}
      />
      <Choice
        label={words.age}
        value={filter.age}
        options={ages.map((value) => ({ value, label: words.ages[value] }))}
        onChoose={(value) => setFilter({ ...filter, age: ages.find((age) => age === value) })}
      />
      {isSortable && (
        <Choice
          label={words.sort}
          value={filter.sort}
          first={words.oldestFirst}
          options={sorts.map((value) => ({ value, label: words.sorts[value] }))}
          onChoose={(value) => setFilter({ ...filter, sort: sorts.find((sort) => sort === value) })}
        />
      )}
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
  /** The choice without a value. Default: any. */
  first?: string;
  options: readonly Option[];
  onChoose: (value: string) => void;
}) {
  const words = useInboxWords();
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
        <option value="">{first ?? words.any}</option>
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
