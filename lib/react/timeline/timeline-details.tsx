'use client';

import type { ReactNode } from 'react';
import { answererName } from '../../client/text/answerer-name.ts';
import { visibleText } from '../../client/text/visible-text.ts';
import type { TimelineSpan } from '../../client/timeline/parse-timeline.ts';
import { JsonDetails } from '../card/evidence/values/json-details.tsx';
import { ReadableValue } from '../card/evidence/values/readable-value.tsx';
import { usePersonName } from '../person/person.tsx';
import { useCardWords } from '../words/card-words.ts';
import { useTimeline } from './timeline-context.ts';

/** Details of a span: who answered, its arguments and its result, redacted by the server. */
export function TimelineDetails({ span }: { span: TimelineSpan }) {
  const { words } = useTimeline();
  const card = useCardWords();
  const nameOf = usePersonName();
  const { answer, automatic, approvedEarly, input, output, error, usage, startedAt, toolName, kind } = span;
  const tokens = [usage?.inputTokens, usage?.outputTokens].filter((count) => count !== undefined);
  return (
    <dl data-countersign="timeline-facts">
      <Fact label={words.started}>
        <time dateTime={startedAt}>{words.moment(new Date(startedAt))}</time>
      </Fact>
      {toolName !== undefined && (
        <Fact label={words.kinds.tool}>
          <code>{visibleText(toolName)}</code>
        </Fact>
      )}
      {answer && (
        <Fact label={words.answer}>
          <span>
            {card.settled({ state: answer.approved ? 'approved' : 'denied', answer })}{' '}
            {card.by(answererName(answer, nameOf, card))}, {words.moment(new Date(answer.at))}
          </span>
          {answer.reason !== undefined && (
            <span>
              : <q>{visibleText(answer.reason)}</q>
            </span>
          )}
        </Fact>
      )}
      {approvedEarly && (
        <Fact label={words.answer}>
          {words.approvedEarly(nameOf(approvedEarly.by))}, {words.moment(new Date(approvedEarly.at))}
        </Fact>
      )}
      {automatic && (
        <Fact label={words.answer}>{visibleText(words.automatic(automatic.approved, automatic.reason))}</Fact>
      )}
      {error !== undefined && (
        <Fact label={kind === 'retry' ? words.retryError : words.error}>
          <span data-countersign="timeline-error">{visibleText(error)}</span>
        </Fact>
      )}
      {tokens.length > 0 && <Fact label={words.tokens}>{words.usage(usage ?? {})}</Fact>}
      {input !== undefined && <Value label={words.input} value={input} />}
      {answer?.input !== undefined && <Value label={words.editedInput} value={answer.input} />}
      {output !== undefined && <Value label={words.output} value={output} />}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** For people, and exactly. */
function Value({ label, value }: { label: string; value: unknown }) {
  const { words } = useTimeline();
  return (
    <Fact label={label}>
      <ReadableValue value={value} />
      {typeof value === 'object' && value !== null && <JsonDetails label={words.showJson} value={value} />}
    </Fact>
  );
}
