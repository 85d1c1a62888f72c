'use client';

import type { Resolution } from '../../../client/calls/resolution.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { usePersonName } from '../../person/person.tsx';
import { useToolWords } from '../../words/card-words.ts';
import { Moment } from '../moment.tsx';

/** One line about a call whose outcome had been unknown: the outcome, who reported it, and when. */
export function ResolutionLine({ resolution }: { resolution: Resolution }) {
  const words = useToolWords();
  const nameOf = usePersonName();
  const { outcome, source, by, at, note } = resolution;
  return (
    <span data-countersign="tool-resolution" data-source={source}>
      <span>{words.resolved({ outcome, source, name: by ? nameOf(by) : '' })}</span> <Moment at={at} />
      {note !== undefined && note !== '' && (
        <span>
          : <q data-countersign="settled-reason">{visibleText(note)}</q>
        </span>
      )}
    </span>
  );
}
