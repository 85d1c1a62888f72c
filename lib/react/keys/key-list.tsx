'use client';

import { useEffect, useId } from 'react';
import { useCommandKey } from '../card/answer/use-command-key.ts';
import { useKeyWords } from '../words/key-words.ts';
import { keyActions } from './key-actions.ts';
import { useModal } from './use-modal.ts';

/** The list of keys, and the switch that turns single-key shortcuts off. */
export function KeyList({
  isOn,
  onChange,
  onClose,
}: {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  onClose: () => void;
}) {
  const words = useKeyWords();
  const command = useCommandKey();
  const title = useId();
  const dialog = useModal();
  // Otherwise the switch at the end would have the focus, and a small window would start there.
  useEffect(() => dialog.current?.focus(), [dialog]);
  const rows = [
    ...Object.entries(keyActions).map(([key, action]) => ({ keys: [key], does: words[action] })),
    { keys: ['Enter'], does: words.press },
    { keys: [command, 'Enter'], does: words.approveInCard },
    { keys: [command, '.'], does: words.denyInCard },
    { keys: ['Escape'], does: words.leave },
  ];
  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      data-countersign="keys-dialog"
      aria-labelledby={title}
      onClose={onClose}
    >
      <h2 id={title} data-countersign="keys-title">
        {words.title}
      </h2>
      <dl data-countersign="keys-list">
        {rows.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label data-countersign="inbox-check">
        <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
        {words.singleKeys}
      </label>
      <div data-countersign="keys-actions">
        <button type="button" data-countersign="inbox-button" onClick={() => dialog.current?.close()}>
          {words.close}
        </button>
      </div>
    </dialog>
  );
}
