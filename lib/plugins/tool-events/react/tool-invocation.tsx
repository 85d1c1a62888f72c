'use client';

import type { ReactNode } from 'react';
import { useEffect, useId } from 'react';
import { ErrorBoundary } from '../../../react/card/unshown/error-boundary.tsx';
import { UnshownJson } from '../../../react/card/unshown/unshown-json.tsx';
import { useLatest } from '../../../react/use-latest.ts';
import type { ToolInvocation as Invocation } from '../client/index.ts';
import { defaultInvocationWords, type InvocationWords } from './invocation-words.ts';

/** Props of `ToolInvocation`. */
export type ToolInvocationProps = {
  readonly invocation: Invocation;
  /** Called to open or close it: pass the id to `toggleToolInvocation`, or to `toggle` of `useToolEvents`. */
  readonly onToggle: (toolCallId: string) => void;
  /** Shows a button at a failure that may be tried again: hand the id to `retryCall` of `useToolEvents`. */
  readonly onRetry?: (toolCallId: string) => void;
  /** Called when an invocation is opened whose long output has not been read: hand both to `readOutput` of `useToolEvents`. */
  readonly onReadOutput?: (toolCallId: string, outputRef: string) => void;
  /** Replaces some or all of the words. */
  readonly words?: Partial<InvocationWords>;
  /** Default: JSON. Called only while the invocation is open, and only when there is an output. */
  readonly renderOutput?: (output: unknown, invocation: Invocation) => ReactNode;
  /** Default: JSON. Called only while the invocation is open. */
  readonly renderInput?: (input: unknown, invocation: Invocation) => ReactNode;
  readonly className?: string;
};

/**
 * One tool invocation: its progress, its summary and count, or its error with a hint. A button shows its arguments and
 * output. Has no styles of its own: `data-state` is `executing`, `completed` or `failed`,
 * `data-tool` its name, `data-expanded` whether it is open, and `data-part` names each piece: `toggle`, `status`,
 * `indicator`, `count`, `hint`, `attempts`, `retry`, `details`, `label`, `json`.
 *
 * @source A18, A19
 */
export function ToolInvocation(props: ToolInvocationProps) {
  const { invocation } = props;
  const words = { ...defaultInvocationWords, ...props.words };
  return (
    <ErrorBoundary
      of={`${invocation.toolCallId} ${invocation.status}`}
      fallback={() => <UnshownJson words={words} value={invocation} />}
    >
      <LaidOut {...props} words={words} />
    </ErrorBoundary>
  );
}

function LaidOut({
  invocation,
  onToggle,
  onRetry,
  onReadOutput,
  words,
  renderOutput = asJson,
  renderInput = asJson,
  className,
}: ToolInvocationProps & { readonly words: InvocationWords }) {
  const id = useId();
  const { toolCallId, toolName, status, input, output, outputRef, resultCount, expanded } = invocation;
  const unread = output === undefined ? outputRef : undefined;
  const read = useLatest(() => {
    if (unread !== undefined) onReadOutput?.(toolCallId, unread);
  });
  useEffect(() => {
    if (expanded && unread !== undefined) read();
  }, [expanded, unread, read]);
  const nameId = `${id}-name`;
  const detailsId = `${id}-details`;

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would group form fields; this groups a call
    <div
      className={className}
      role="group"
      aria-labelledby={nameId}
      data-state={status}
      data-tool={toolName}
      data-expanded={expanded}
    >
      <button
        type="button"
        data-part="toggle"
        aria-expanded={expanded}
        aria-controls={detailsId}
        onClick={() => onToggle(toolCallId)}
      >
        <span id={nameId}>{words.name(invocation)}</span>
      </button>
      {/* One region from start to end, so that its change is announced. */}
      <p role="status" data-part="status">
        <InvocationStatus invocation={invocation} words={words} />
      </p>
      {invocation.wasRetried && <span data-part="attempts">{words.attempts(2, 2)}</span>}
      {invocation.retryable && onRetry && (
        <button type="button" data-part="retry" onClick={() => onRetry(toolCallId)}>
          {words.retry}
        </button>
      )}
      {/* One thing is no list: a payment has no "1 result". */}
      {status === 'completed' && resultCount !== undefined && resultCount !== 1 && (
        <span data-part="count">{words.results(resultCount)}</span>
      )}
      <div id={detailsId} data-part="details" hidden={!expanded}>
        {expanded && (
          <>
            <p data-part="label">{words.input}</p>
            {renderInput(input, invocation)}
            {status === 'completed' && (
              <>
                <p data-part="label">{words.output}</p>
                {unread !== undefined && <p>{words.readingOutput}</p>}
                {unread === undefined && output === undefined && <p>{words.noOutput}</p>}
                {output !== undefined && renderOutput(output, invocation)}
              </>
            )}
          </>
        )}
      </div>
    </div>
  );
}

function InvocationStatus({ invocation, words }: { invocation: Invocation; words: InvocationWords }) {
  switch (invocation.status) {
    case 'executing':
      return (
        <>
          <span data-part="indicator" aria-hidden="true" />
          <span>{words.executing(invocation)}</span>
        </>
      );
    case 'completed':
      return <span>{invocation.summary}</span>;
    case 'failed':
      return (
        <>
          <span>{invocation.error}</span>
          {invocation.retryable && <span data-part="hint"> {words.mayRetry}</span>}
        </>
      );
  }
}

function asJson(value: unknown): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre data-part="json" tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
