'use client';

import { Glyph } from '../../../../../react/card/glyph.tsx';
import { useForm } from '../form-context.ts';

/** What can be done with an item of a list. */
type ItemAction = 'up' | 'down' | 'remove';

/** The buttons of one item of a list. @param item its name, and that of its list */
export function ItemButtons({
  item,
  isFirst,
  isLast,
  onAct,
}: {
  item: string;
  isFirst: boolean;
  isLast: boolean;
  onAct: (action: ItemAction) => void;
}) {
  const { words } = useForm();
  const names = { up: words.moveUp, down: words.moveDown, remove: words.remove };
  const glyphs = { up: 'arrow', down: 'arrow', remove: 'cross' } as const;
  const actions = [!isFirst && 'up', !isLast && 'down', 'remove'] as const;
  return (
    <div data-countersign="field-item-buttons">
      {actions.map(
        (action) =>
          action && (
            <button
              key={action}
              type="button"
              data-action={action}
              data-countersign="field-button"
              aria-label={`${names[action]}: ${item}`}
              title={names[action]}
              onClick={() => onAct(action)}
            >
              <Glyph name={glyphs[action]} size={16} />
            </button>
          ),
      )}
    </div>
  );
}
