'use client';

import type { ReactElement } from 'react';
import { pathWithin } from '../../../../../protocol/field-path.ts';
import { announce } from '../../../../../react/card/announce.ts';
import { type Draft, type ListItem, newDraft, nextKey } from '../../../client/field-draft.ts';
import { FieldGroup } from '../field-group.tsx';
import type { FieldProps } from '../field-props.ts';
import { useForm } from '../form-context.ts';
import { nameOf } from '../use-field.ts';
import { ItemButtons } from './item-buttons.tsx';
import { ListPager } from './list-pager.tsx';
import { useListFocus } from './use-list-focus.ts';
import { usePage } from './use-page.ts';

/**
 * A list of items, each with its fields. Items can be added, moved and removed. A long list is shown one page
 * at a time.
 */
export function ListField({
  renderField: Item,
  ...props
}: FieldProps<'list'> & { renderField: (props: FieldProps) => ReactElement }) {
  const { field, draft, initial, place, onChange } = props;
  const { words } = useForm();
  const { list, focusNext } = useListFocus();
  const name = nameOf(field, place);
  const items = draft.type === 'list' ? draft.items : [];
  const began = initial.type === 'list' ? initial.items : [];
  const page = usePage(place.path, items.length);
  const change = (next: readonly ListItem[]) => onChange({ type: 'list', items: next });

  function add(): void {
    const key = nextKey([...began, ...items]);
    focusNext([`${itemOf(key)} :is(input, textarea, select, button)`]);
    page.show(items.length);
    change([...items, { key, draft: newDraft(field.item) }]);
  }

  function remove(index: number): void {
    const neighbour = (items[index + 1] ?? items[index - 1])?.key;
    focusNext([`${itemOf(neighbour)} > * > [data-action="remove"]`, ':scope > [data-action="add"]']);
    change(items.filter((_, at) => at !== index));
  }

  function move(index: number, action: 'up' | 'down'): void {
    const to = action === 'up' ? index - 1 : index + 1;
    const buttons = `${itemOf(items[index]?.key)} > * > `;
    focusNext([`${buttons}[data-action="${action}"]`, `${buttons}[data-action]`]);
    announce(words.moved(name, to + 1, items.length));
    page.show(to);
    change(swapped(items, index, to));
  }

  return (
    <FieldGroup {...props} isOpen={draft.type === 'list'}>
      <div ref={list} data-countersign="field-list">
        <ListPager name={name} count={items.length} page={page} />
        {items.slice(page.from, page.to).map(({ key, draft: item }, offset) => {
          const index = page.from + offset;
          const label = words.item(index + 1);
          return (
            <div key={key} data-key={key} data-countersign="field-item">
              <Item
                field={field.item}
                draft={item}
                initial={began.find((one) => one.key === key)?.draft ?? absent}
                place={{ path: pathWithin(place.path, index), name: label, isRequired: true }}
                onChange={(next) =>
                  change(items.map((one) => (one.key === key ? { key, draft: next } : one)))
                }
              />
              <ItemButtons
                item={`${name}, ${label}`}
                isFirst={index === 0}
                isLast={index === items.length - 1}
                onAct={(action) => (action === 'remove' ? remove(index) : move(index, action))}
              />
            </div>
          );
        })}
        <button
          type="button"
          data-action="add"
          data-countersign="field-button"
          aria-label={`${words.add}: ${name}`}
          onClick={add}
        >
          {words.add}
        </button>
      </div>
    </FieldGroup>
  );
}

/** A selector in the list. Items of a list within an item have the same keys. */
function itemOf(key: number | undefined): string {
  return `:scope > [data-key="${key}"]`;
}

function swapped(items: readonly ListItem[], from: number, to: number): readonly ListItem[] {
  const moved = [...items];
  const [one, other] = [items[from], items[to]];
  if (one && other) [moved[from], moved[to]] = [other, one];
  return moved;
}

const absent: Draft = { type: 'absent' };
