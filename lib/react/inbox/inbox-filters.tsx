'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { useId } from 'react';
import { isFiltered } from '../../client/inbox/filter-questions.ts';
import type { Question } from '../../client/question.ts';
import { usePersonName } from '../person/person.tsx';
import { useInbox } from './inbox-context.ts';

type Option = { readonly value: string; readonly label: string };

const risks = ['high', 'medium', 'low'] as const;
const ages = ['hour', 'day', 'older'] as const;
const sorts = ['deadline', 'risk'] as const;

/** Narrows the list by words, tool, risk, asker and age, and orders it. Shows only what has at least two choices. */
export function InboxFilters(props: ComponentPropsWithoutRef<'search'>) {
  const { inbox, words, questions: shown, filter, setFilter } = useInbox();
  const { questions } = inbox;
  const nameOf = usePersonName();
  const isActive = isFiltered(filter);
  if (questions.length + inbox.settled.length < 2 && !isActive) return null;

  const tools = distinct(questions.map(({ toolName, title }) => ({ value: toolName, label: title })));
  const askers = distinct(
    questions.flatMap(({ askedBy }) => (askedBy ? [{ value: askedBy.id, label: nameOf(askedBy) }] : [])),
  );
  const present = risks.filter((risk) => questions.some((question) => question.risk === risk));
  const isSortable = questions.some(({ risk, deadline }) => risk ?? deadline);

  return (
    <search aria-label={words.filters} data-countersign="inbox-filters" {...props}>
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
      {(isSortable || filter.sort) && (
        <Choice
          label={words.sort}
          value={filter.sort}
          first={words.oldestFirst}
          options={sorts.map((value) => ({ value, label: words.sorts[value] }))}
          onChoose={(value) => setFilter({ ...filter, sort: sorts.find((sort) => sort === value) })}
        />
      )}
      <p data-countersign="inbox-count">
        {words.count(countOpen(shown), countOpen(questions), inbox.more !== undefined)}
      </p>
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
  const { words } = useInbox();
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

function countOpen(questions: readonly Question[]): number {
  return questions.filter(({ state }) => state === 'open').length;
}

function distinct(options: readonly Option[]): Option[] {
  return [...new Map(options.map((option) => [option.value, option])).values()];
}
