// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { ApprovalCard, type CallView, ReadableValue, ToolCard } from 'countersign/react';
import { type ReactElement, StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { questionOf } from '../support/card-fixture.ts';
import { withPlugins } from '../support/card-plugins.ts';

const question = questionOf({
  toolName: 'process_payment',
  title: 'Process payment',
  input: { recipient: 'Alice', items: [{ sku: 'a' }], note: 'two\nlines', nested: { deep: { list: ['x'] } } },
  risk: 'high',
  askedBy: { id: 'ana', name: 'Ana' },
  deadline: '2030-01-01T12:00:00Z',
  position: { index: 1, of: 2 },
  mayEdit: true,
  mayRemember: true,
});

const answer = {
  approved: true,
  reason: 'fine',
  input: { recipient: 'Bob' },
  by: { id: 'bob', name: 'Bob' },
  at: '2029-12-31T12:00:00Z',
  via: 'http',
};

const call: CallView = {
  toolCallId: 'c1',
  toolName: 'process_payment',
  title: 'Process payment',
  state: 'done',
  input: { recipient: 'Bob' },
  proposedInput: { recipient: 'Alice' },
  output: { paid: true },
  summary: 'Paid Bob 30',
  resultCount: 1,
  durationMs: 12,
  approval: { id: 'q1', approved: true },
  answer,
};

const pages: readonly (readonly [string, ReactElement])[] = [
  ['an open question', <ApprovalCard key="" question={question} onAnswer={() => undefined} />],
  [
    'a question for someone else',
    <ApprovalCard key="" question={{ ...question, mayAnswer: false }} onAnswer={() => undefined} />,
  ],
  [
    'a settled question',
    <ApprovalCard key="" question={{ ...question, state: 'approved', answer }} onAnswer={() => undefined} />,
  ],
  ['a call', <ToolCard key="" call={call} />],
  [
    'a failed call',
    <ToolCard key="" call={{ ...call, state: 'failed', problem: 'No.', output: undefined }} />,
  ],
  ['a value', <ReadableValue key="" value={question.input} />],
];

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

describe('on the server', () => {
  it.each(pages)('%s is rendered, and hydrated in the browser without a warning', async (_, page) => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    Element.prototype.scrollIntoView = () => undefined;
    const html = renderToString(<StrictMode>{page}</StrictMode>);
    const root = document.createElement('div');
    root.innerHTML = html;
    document.body.append(root);
    render(<StrictMode>{page}</StrictMode>, { container: root, hydrate: true });
    expect(html).toContain('data-countersign');
    expect(complaints.mock.calls).toEqual([]);
  });

  it('a plugin’s line with a time is left out, and not announced when the browser adds it', async () => {
    Element.prototype.scrollIntoView = () => undefined;
    const directors = { steps: [], step: 1, at: '2029-12-31T12:00:00Z', label: 'directors' };
    const page = withPlugins(
      <ApprovalCard
        question={{ ...question, plugins: { escalation: directors } }}
        onAnswer={() => undefined}
      />,
    );
    const html = renderToString(page);
    expect(html).not.toContain('Escalated');
    const root = document.createElement('div');
    root.innerHTML = html;
    document.body.append(root);
    render(page, { container: root, hydrate: true });
    await screen.findByText(/^Escalated to directors at ./);
    expect(document.querySelector('[data-countersign="announcer"]')).toBeNull();
  });
});
