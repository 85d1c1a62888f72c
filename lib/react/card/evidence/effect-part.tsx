'use client';

import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { visibleText } from '../../../client/text/visible-text.ts';
import type { PreviewPart } from '../../../protocol/wire/preview.ts';
import { useApprovalCard } from '../card-context.ts';
import { Sentence } from './sentence.tsx';
import { ReadableValue } from './values/readable-value.tsx';
import { TextDiff } from './values/text-diff.tsx';
import { ValueTable } from './values/value-table.tsx';

/**
 * The effect that the call would have, as determined by the tool's `preview`, including for edited arguments.
 * Renders nothing for a tool without one. `data-state` is `made` or `failed`.
 *
 * @source ADR 0040
 */
export function CardEffect({ children, ...rest }: ComponentPropsWithoutRef<'section'>) {
  const { question, editing, previewed, words } = useApprovalCard();
  const { preview } = previewed;
  if (!preview) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would group form fields; and a page may show it for many questions
    <section
      role="group"
      data-countersign="card-effect"
      data-state={preview.state}
      aria-label={words.effect}
      {...rest}
    >
      {children ?? (
        <>
          <p data-countersign="effect-heading">{words.effect}</p>
          {preview.state === 'failed' ? (
            <p data-countersign="effect-unknown">{words.effectUnknown(preview.required === true)}</p>
          ) : (
            <>
              <p data-countersign="effect-summary">
                <Sentence text={preview.summary} input={[question.input, editing.input, question.runsAs]} />
              </p>
              {preview.parts?.map((part, index) => (
                <Part key={placeKey(index)} part={part} />
              ))}
            </>
          )}
        </>
      )}
    </section>
  );
}

function Part({ part }: { part: PreviewPart }): ReactNode {
  switch (part.type) {
    case 'totals':
      return (
        <ReadableValue value={Object.fromEntries(part.totals.map(({ label, value }) => [label, value]))} />
      );
    case 'list':
      return <Titled title={part.title} content={<ReadableValue value={part.items} />} />;
    case 'table': {
      const count = part.rowCount ?? part.rows.length;
      const table = <ValueTable rows={part.rows} count={count} Cell={ReadableValue} />;
      return <Titled title={part.title} content={table} />;
    }
    case 'diff':
      return <Titled title={part.title} content={<TextDiff before={part.before} after={part.after} />} />;
  }
}

function Titled({ title, content }: { title: string | undefined; content: ReactNode }) {
  return (
    <div data-countersign="effect-part">
      {title && <p>{visibleText(title)}</p>}
      {content}
    </div>
  );
}

function placeKey(index: number): string {
  return `part-${index}`;
}
