'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { useId } from 'react';
import { useInbox } from './inbox-context.ts';

type Option = { readonly value: string; readonly label: string };

const risks = ['high', 'medium', 'low'] as const;

/** Narrows the list by words, tool, risk and asker. Shows only filters with at least two choices. */
export function InboxFilters(props: ComponentPropsWithoutRef<'search'>) {
  const { inbox, words, filter, setFilter } = useInbox();
  const { questions } = inbox;
  const isActive = Object.values(filter).some(Boolean);
  if (questions.length < 2 && !isActive) return null;

  const tools = distinct(questions.map(({ toolName, title }) => ({ value: toolName, label: title })));
  const askers = distinct(
    questions.flatMap(({ askedBy }) => (askedBy ? [{ value: askedBy.id, label: askedBy.name }] : [])),
  );
  const present = risks.filter((risk) => questions.some((question) => question.risk === risk));
  const setRisk = (value: string) => setFilter({ ...filter, risk: risks.find((risk) => risk === value) });

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
        onChoose={setRisk}
      />
      <Choice
        label={words.asker}
        value={filter.asker}
        options={askers}
        onChoose={(asker) => setFilter({ ...filter, asker })}
      />
    </search>
  );
}

/** A single choice needs no filter. */
function Choice({
  label,
  value = '',
  options,
  onChoose,
}: {
  label: string;
  value: string | undefined;
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
        <option value="">{words.any}</option>
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
