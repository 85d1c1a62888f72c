'use client';

import type { ComponentPropsWithoutRef } from 'react';
import type { Change } from '../../../client/card/changes.ts';
import { readableField } from '../../../client/text/readable-field.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import type { ApprovalCardWords } from '../../words/card-words.ts';
import { useApprovalCard } from '../card-context.ts';
import { Glyph } from '../glyph.tsx';
import { ReadableValue } from './values/readable-value.tsx';
import { Stepped } from './values/stepped.tsx';

/** The differences from the proposal, field by field, during editing and after an approval with edits. */
export function CardChanges(props: ComponentPropsWithoutRef<'section'>) {
  const { editing, words, ids, canAnswer } = useApprovalCard();
  if (!canAnswer || editing.stage.type !== 'open' || editing.isNeeded) return null;
  return (
    <section data-countersign="card-changes" id={ids.changes} aria-label={words.changes} {...props}>
      {props.children ?? <ChangeList changes={editing.changes} heading={words.changes} words={words} />}
    </section>
  );
}

/** Changes as rows: the field, its old value, its new value. @param heading whose changes these are */
export function ChangeList({
  changes,
  heading,
  words,
}: {
  changes: readonly Change[];
  heading: string;
  words: ApprovalCardWords;
}) {
  if (changes.length === 0) return <p data-countersign="value-none">{words.noChanges}</p>;
  return (
    <>
      <p data-countersign="changes-heading">{heading}</p>
      <Stepped count={changes.length}>
        {(shown) => (
          <dl data-countersign="changes">
            {changes.slice(0, shown).map(({ path, before, after }) => (
              <div key={path.join('/')} data-countersign="change">
                <dt>{nameOfPath(path, words)}</dt>
                <dd>
                  <del>
                    <span data-countersign="unseen">{words.was} </span>
                    <Side value={before} words={words} />
                  </del>
                  <Glyph name="arrow" size={14} />
                  <ins>
                    <span data-countersign="unseen"> {words.becomes} </span>
                    <Side value={after} words={words} />
                  </ins>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Stepped>
    </>
  );
}

function Side({ value, words }: { value: unknown; words: ApprovalCardWords }) {
  return value === undefined ? (
    <em data-countersign="value-none">{words.notGiven}</em>
  ) : (
    <ReadableValue value={value} depth={1} />
  );
}

function nameOfPath(path: Change['path'], words: ApprovalCardWords): string {
  if (path.length === 0) return words.whole;
  return path
    .map((key) => (typeof key === 'number' ? words.item(key + 1) : readableField(visibleText(key))))
    .join(' · ');
}
