// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import {
  noToolInvocations,
  reduceToolEvent,
  type ToolEvent,
  type ToolInvocations,
  toggleToolInvocation,
  withToolOutput,
} from 'countersign/plugins/tool-events/client';
import { messageItems, ToolInvocation, useToolEvents } from 'countersign/plugins/tool-events/react';
import { StrictMode, useState } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';

const toolCallId = 'c1';
const start: ToolEvent = {
  type: 'tool_call_start',
  toolCallId,
  toolName: 'semanticSearch',
  input: { query: 'blue' },
};
const end: ToolEvent = {
  type: 'tool_call_end',
  toolCallId,
  summary: 'Found 2 tracks',
  resultCount: 2,
  durationMs: 12,
  output: ['So What', 'Blue in Green'],
};
const empty: ToolEvent = {
  type: 'tool_call_end',
  toolCallId,
  summary: "No tracks found matching 'blue'",
  resultCount: 0,
  durationMs: 3,
};
const failed = (retryable: boolean): ToolEvent => ({
  type: 'tool_call_error',
  toolCallId,
  error: 'The catalogue is closed.',
  retryable,
  wasRetried: true,
});

const reduced = (...frames: ToolEvent[]): ToolInvocations =>
  frames.reduce(reduceToolEvent, noToolInvocations);

function only(invocations: ToolInvocations) {
  const [invocation] = invocations.values();
  if (!invocation) throw new Error('There is no invocation.');
  return invocation;
}

/** What a page does: the reducer's map is its state. */
function Stateful({ initial }: { initial: ToolInvocations }) {
  const [invocations, setInvocations] = useState(initial);
  return (
    <ToolInvocation
      invocation={only(invocations)}
      onToggle={(id) => setInvocations((now) => toggleToolInvocation(now, id))}
    />
  );
}

const box = () => screen.getByRole('group', { name: 'Semantic search' });

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

describe('ToolInvocation', () => {
  it.each([
    { state: 'executing', frames: [start], says: 'Searching…', badge: undefined },
    { state: 'completed', frames: [start, end], says: 'Found 2 tracks', badge: '2 results' },
    {
      state: 'completed',
      frames: [start, empty],
      says: "No tracks found matching 'blue'",
      badge: '0 results',
    },
    {
      state: 'failed',
      frames: [start, failed(true)],
      says: 'The catalogue is closed. You can try again.',
      badge: undefined,
    },
    { state: 'failed', frames: [start, failed(false)], says: 'The catalogue is closed.', badge: undefined },
  ])('says “$says” when it is $state [A19]', ({ state, frames, says, badge }) => {
    render(<ToolInvocation invocation={only(reduced(...frames))} onToggle={() => {}} />);
    expect(box().dataset).toMatchObject({ state, tool: 'semanticSearch', expanded: 'false' });
    expect(screen.getByRole('status').textContent?.trim()).toBe(says);
    expect(box().querySelector('[data-part="count"]')?.textContent).toBe(badge);
  });

  it('uses the given words', () => {
    const invocation = { ...only(reduced(start, end)), expanded: true };
    const given = { results: (count: number) => `${count} Treffer`, input: 'Argumente' };
    render(<ToolInvocation invocation={invocation} onToggle={() => {}} words={given} />);
    expect(box().querySelector('[data-part="count"]')?.textContent).toBe('2 Treffer');
    expect(screen.getByText('Argumente')).toBeDefined();
  });

  it('keeps one status region from start to end, so that the end is announced', () => {
    const { rerender } = render(<ToolInvocation invocation={only(reduced(start))} onToggle={() => {}} />);
    const region = screen.getByRole('status');
    rerender(<ToolInvocation invocation={only(reduced(start, end))} onToggle={() => {}} />);
    expect(screen.getByRole('status')).toBe(region);
  });

  it('starts closed, and its button opens and closes what it names [A18]', () => {
    render(<Stateful initial={reduced(start, end)} />);
    const button = screen.getByRole('button', { name: 'Semantic search' });
    const details = document.getElementById(button.getAttribute('aria-controls') ?? '');
    expect(button.getAttribute('aria-expanded')).toBe('false');
    expect(details?.hidden).toBe(true);
    expect(details?.textContent).toBe('');

    fireEvent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(details?.hidden).toBe(false);
    expect(details?.textContent).toContain('Blue in Green');
    expect(details?.textContent).toContain('"query": "blue"');

    fireEvent.click(button);
    expect(details?.hidden).toBe(true);
  });

  it.each([
    { outcome: 'an end without results', frames: [start, empty], shows: 'No output', rendered: 0 },
    { outcome: 'an error', frames: [start, failed(false)], shows: 'Arguments', rendered: 0 },
    { outcome: 'an end with results', frames: [start, end], shows: '2 in all', rendered: 1 },
  ])('renders an output as configured, after $outcome', ({ frames, shows, rendered }) => {
    const renderOutput = vi.fn((output: unknown) => (
      <p>{Array.isArray(output) ? output.length : 0} in all</p>
    ));
    const invocation = { ...only(reduced(...frames)), expanded: true };
    render(<ToolInvocation invocation={invocation} onToggle={() => {}} renderOutput={renderOutput} />);
    expect(box().textContent).toContain(shows);
    expect(renderOutput).toHaveBeenCalledTimes(rendered);
  });

  it('does not render an output while it is closed', () => {
    const renderOutput = vi.fn(() => null);
    render(
      <ToolInvocation
        invocation={only(reduced(start, end))}
        onToggle={() => {}}
        renderOutput={renderOutput}
      />,
    );
    expect(renderOutput).not.toHaveBeenCalled();
  });

  it('uses the texts that it is given, and its own otherwise', () => {
    const words = { executing: () => 'Suche läuft …', name: () => 'Suche' };
    render(<ToolInvocation invocation={only(reduced(start))} onToggle={() => {}} words={words} />);
    expect(screen.getByRole('status').textContent).toContain('Suche läuft …');
    expect(screen.getByRole('button', { name: 'Suche' })).toBeDefined();
  });

  it('does not modify its props, and passes on only the id', () => {
    const invocation = Object.freeze({
      ...only(reduced(start, end)),
      input: Object.freeze({ query: 'blue' }),
    });
    const onToggle = vi.fn();
    render(<ToolInvocation invocation={invocation} onToggle={onToggle} />);
    fireEvent.click(screen.getByRole('button'));
    expect(onToggle.mock.calls).toEqual([[toolCallId]]);
    expect(screen.getByRole('button').getAttribute('aria-expanded')).toBe('false');
  });

  it('renders the same on a server, and hydrates in a browser without a warning', () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const page = (
      <StrictMode>
        <Stateful initial={toggleToolInvocation(reduced(start, end), toolCallId)} />
      </StrictMode>
    );
    const container = document.createElement('div');
    document.body.append(container);
    container.innerHTML = renderToString(page);
    const html = container.innerHTML;
    expect(html).toContain('Blue in Green');

    const mistakes: unknown[] = [];
    const { unmount } = render(page, {
      container,
      hydrate: true,
      onRecoverableError: (error) => mistakes.push(error),
    });
    expect(container.innerHTML).toBe(html);
    expect(mistakes).toEqual([]);
    unmount();
    expect(errors.mock.calls).toEqual([]);
    expect(warnings.mock.calls).toEqual([]);
  });
});

describe('messageItems', () => {
  const { input } = start as Extract<ToolEvent, { type: 'tool_call_start' }>;
  const content = [
    { type: 'text' as const, text: 'Let me look.' },
    { type: 'tool_use' as const, id: toolCallId, name: 'semanticSearch', input },
    { type: 'tool_result' as const, tool_use_id: toolCallId, content: {} },
    { type: 'text' as const, text: 'There.' },
  ];
  const invocations = reduced(start, end);

  it('puts each invocation where it was called, and adds no separate result [A19]', () => {
    expect(messageItems({ content, invocations }).map(({ type }) => type)).toEqual(['text', 'tool', 'text']);
  });

  it.each([
    { after: 0, order: ['approval', 'text', 'tool', 'text'] },
    { after: 1, order: ['text', 'approval', 'tool', 'text'] },
    { after: 4, order: ['text', 'tool', 'text', 'approval'] },
  ])('puts the open question where it was asked: after $after blocks [A25]', ({ after: place, order }) => {
    const asked = { approvalId: 'a1', toolCallId: 'c2', toolName: 'pay', input: {}, after: place };
    expect(messageItems({ content, invocations }, asked).map(({ type }) => type)).toEqual(order);
  });
});

describe('useToolEvents', () => {
  it('renders on a server, where nothing is fetched', () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const Page = () => <p>{useToolEvents({ conversationId: 'chat-1' }).phase}</p>;
    expect(renderToString(<Page />)).toBe('<p>idle</p>');
    expect(fetched).not.toHaveBeenCalled();
  });

  it('shows the attempts of a failure, and a button that makes the call again only if it may [A9, A11]', () => {
    const onRetry = vi.fn();
    const shown = (retryable: boolean) => (
      <ToolInvocation
        invocation={only(reduced(start, failed(retryable)))}
        onToggle={() => {}}
        onRetry={onRetry}
      />
    );
    const { rerender } = render(shown(false));
    expect(screen.getByText('Attempt 2 of 2')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    rerender(shown(true));
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(onRetry).toHaveBeenCalledExactlyOnceWith(toolCallId);
  });

  it('reads a long output once, when it is opened, and shows it when it is there [A6]', () => {
    const { output, ...facts } = end as Extract<ToolEvent, { type: 'tool_call_end' }>;
    const onReadOutput = vi.fn();
    const closed = reduced(start, { ...facts, outputRef: 'result?toolCallId=c1' });
    const shown = (invocations: ToolInvocations) => (
      <ToolInvocation invocation={only(invocations)} onToggle={() => {}} onReadOutput={onReadOutput} />
    );
    const { rerender } = render(shown(closed));
    expect(onReadOutput).not.toHaveBeenCalled();
    const open = toggleToolInvocation(closed, toolCallId);
    rerender(shown(open));
    rerender(shown(new Map(open)));
    expect(onReadOutput).toHaveBeenCalledExactlyOnceWith(toolCallId, 'result?toolCallId=c1');
    expect(screen.getByText('Loading…')).toBeTruthy();
    rerender(shown(withToolOutput(open, toolCallId, output)));
    expect(screen.getByText(/So What/)).toBeTruthy();
    expect(screen.queryByText('Loading…')).toBeNull();
  });
});
