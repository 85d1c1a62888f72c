// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { serverAheadMs } from '../../lib/client/http/server-clock.ts';
import { parseTimeline, type Timeline } from '../../lib/client/timeline/parse-timeline.ts';
import { timeScale } from '../../lib/client/timeline/time-scale.ts';
import { ToolTimeline } from '../../lib/react/timeline/tool-timeline.tsx';

const start = Date.UTC(2030, 0, 1, 12);
const at = (ms: number) => new Date(start + ms).toISOString();
const span = (id: string, kind: string, from: number, to: number | undefined, more: object = {}) => ({
  id,
  runId: 'run',
  turn: 1,
  kind,
  label: id,
  state: 'completed',
  startedAt: at(from),
  ...(to !== undefined && { endedAt: at(to), durationMs: to - from }),
  ...more,
});

const answer = {
  approved: true,
  reason: 'Fine.',
  by: { id: 'ada', name: 'Ada' },
  at: at(5_000),
  via: 'http',
};
const wire = {
  chatId: 'chat1',
  status: 'idle',
  turns: [{ turn: 1, startedAt: at(0), text: 'Pay Alice.', by: { id: 'ben', name: 'Ben' } }],
  spans: [
    span('Step 1', 'model', 0, 1_000, { usage: { inputTokens: 12, outputTokens: 3 } }),
    span('Pay Alice 30.', 'waiting', 1_000, 5_000, { state: 'approved', answer, input: { to: 'Alice' } }),
    span('Pay', 'tool', 5_000, 5_200, { toolName: 'pay', input: { to: 'Alice' }, output: { paid: 30 } }),
    span('Weather', 'tool', 5_200, 5_300, { state: 'failed', error: 'The service is closed.' }),
  ],
  summary: {
    questions: 1,
    approved: 1,
    denied: 0,
    withdrawn: 0,
    medianWaitMs: 4_000,
    waitingMs: 4_000,
    modelMs: 1_000,
    toolMs: 300,
    calls: 2,
    retries: 0,
    failures: 1,
  },
};

function timelineWith(more: object = {}): Timeline {
  const timeline = parseTimeline({ ...wire, ...more });
  if (!timeline) throw new Error('This is no timeline.');
  return timeline;
}

describe('ToolTimeline', () => {
  afterEach(cleanup);

  it('is readable without its bars: kind, name, end, duration and start of each span', () => {
    render(<ToolTimeline timeline={timelineWith()} />);
    const turn = screen.getByRole('region', { name: 'Pay Alice.' });
    const names = within(turn)
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label') ?? accessibleText(button));
    expect(names).toEqual([
      'Model: Step 1, done, 1.0 s, starts after 0 ms',
      'Waiting for a person: Pay Alice 30., approved, 4.0 s, starts after 1.0 s',
      'Tool: Pay, done, 200 ms, starts after 5.0 s',
      'Tool: Weather, failed, 100 ms, starts after 5.2 s',
    ]);
  });

  it('counts what is ongoing by the server’s clock, however wrong this machine’s is', () => {
    vi.useFakeTimers({ now: start - 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const open = span('Pay Bob 40.', 'waiting', 6_000, undefined, { state: 'open' });
    const minutes = 23 * 60_000;
    const timeline = timelineWith({ status: 'waiting', spans: [...wire.spans, open] });
    const { container } = render(
      <ToolTimeline timeline={{ ...timeline, aheadMs: 3_600_000 + 6_000 + minutes }} />,
    );
    const waiting = container.querySelector('[data-figure="waiting"] dd')?.textContent;
    expect(waiting).toBe('23 min 4 s');
    expect(screen.getByRole('button', { name: /Pay Bob/ }).textContent).toContain('23 min 0 s');
  });

  it.each([
    ['an hour ahead', 3_600_000, 3_600_000],
    ['an hour behind', -3_600_000, -3_600_000],
    ['the same, within the seconds of the header', 400, 0],
    ['the same, but for a slow response', -1_500, 0],
  ])('reads how far the server’s clock is: %s', (_, aheadMs, expected) => {
    const sentAt = start;
    const receivedAt = start + 2_000;
    const date = new Date(start + 1_000 + aheadMs).toUTCString();
    const read = serverAheadMs(new Response(null, { headers: { date } }), { sentAt, receivedAt });
    expect(Math.abs((read ?? 0) - expected)).toBeLessThanOrEqual(1_000);
    expect(serverAheadMs(new Response(), { sentAt, receivedAt })).toBeUndefined();
  });

  it('summarizes the chat: questions, median wait, denied', () => {
    const { container } = render(<ToolTimeline timeline={timelineWith()} />);
    const figures = [...container.querySelectorAll('[data-countersign="timeline-summary"] > div')].map(
      (figure) => figure.textContent,
    );
    expect(figures).toEqual([
      'Requests1',
      'Median wait4.0 s',
      'Denied0',
      'Waiting4.0 s',
      'Model1.0 s',
      'Tools300 ms',
      'Failures1',
    ]);
  });

  it.each([
    ['Pay Alice 30.', ['Approved', 'Ada', 'Fine.', 'Alice']],
    ['Pay', ['pay', 'Alice', '30']],
    ['Weather', ['The service is closed.']],
    ['Step 1', ['12 in, 3 out']],
  ])('opens a row to its details: %s', (label, words) => {
    render(<ToolTimeline timeline={timelineWith()} />);
    const row = rowOf(label);
    fireEvent.click(row);
    expect(row.getAttribute('aria-expanded')).toBe('true');
    const details = document.getElementById(row.getAttribute('aria-controls') ?? '');
    for (const word of words) expect(details?.textContent).toContain(word);
    fireEvent.click(row);
    expect(details?.hidden).toBe(true);
  });

  it('moves from row to row with the arrow keys, and ignores other keys', () => {
    render(<ToolTimeline timeline={timelineWith()} />);
    const rows = screen.getAllByRole('button');
    rows[0]?.focus();
    for (const [key, index] of [
      ['ArrowDown', 1],
      ['End', 3],
      ['ArrowDown', 3],
      ['ArrowUp', 2],
      ['x', 2],
      ['Home', 0],
    ] as const) {
      fireEvent.keyDown(document.activeElement ?? document.body, { key });
      expect(document.activeElement).toBe(rows[index]);
    }
  });

  it('links to its export as a file', () => {
    render(<ToolTimeline timeline={timelineWith()} />);
    const link = screen.getByRole('link', { name: 'Export as JSON' });
    expect(link.getAttribute('href')).toBe('/api/chat/chat1/timeline');
    expect(link.getAttribute('download')).toBe('timeline-chat1.json');
  });

  it('shows what is still ongoing, and that nothing has happened', () => {
    const open = [span('Pay Bob 40.', 'waiting', 0, undefined, { state: 'open' })];
    const { rerender } = render(<ToolTimeline timeline={timelineWith({ spans: open, status: 'waiting' })} />);
    expect(accessibleText(screen.getByRole('button'))).toContain('open');
    expect(accessibleText(screen.getByRole('button'))).toContain('ongoing');
    rerender(<ToolTimeline timeline={timelineWith({ spans: [], turns: [] })} />);
    expect(screen.getByText('Nothing has happened in this chat yet.')).toBeTruthy();
  });

  it('renders on the server', () => {
    expect(renderToString(<ToolTimeline timeline={timelineWith()} />)).toContain('Pay Alice 30.');
  });
});

describe('parseTimeline', () => {
  it.each([
    undefined,
    null,
    'text',
    {},
    { ...wire, status: 'odd' },
    { ...wire, spans: 'none' },
    { ...wire, summary: 1 },
  ])('rejects %j', (value) => {
    expect(parseTimeline(value)).toBeUndefined();
  });

  it('omits spans that it does not understand', () => {
    const spans = [
      ...wire.spans,
      { id: 'x' },
      span('y', 'thinking', 0, 1),
      span('z', 'tool', 0, 1, { startedAt: 'now' }),
    ];
    expect(timelineWith({ spans }).spans).toHaveLength(wire.spans.length);
  });
});

describe('timeScale', () => {
  const work = (from: number, to: number) => ({ start: from, end: to, isWaiting: false });
  const wait = (from: number, to: number) => ({ start: from, end: to, isWaiting: true });

  it('is proportional while waiting does not fill the line', () => {
    const { at: place, isShortened } = timeScale([work(0, 100), wait(100, 200), work(200, 400)]);
    expect([0, 100, 200, 400].map(place)).toEqual([0, 0.25, 0.5, 1]);
    expect(isShortened(0, 400)).toBe(false);
  });

  it('limits an hour of waiting to 60% of the line, so that the second of work is visible', () => {
    const hour = 3_600_000;
    const { at: place, isShortened } = timeScale([
      work(0, 1_000),
      wait(1_000, hour),
      work(hour, hour + 1_000),
    ]);
    expect(place(1_000)).toBeCloseTo(0.2);
    expect(place(hour)).toBeCloseTo(0.8);
    expect(isShortened(1_000, hour)).toBe(true);
    expect(isShortened(0, 1_000)).toBe(false);
  });

  it('keeps a short wait proportional beside a long one', () => {
    const { isShortened } = timeScale([work(0, 100), wait(100, 110), work(110, 120), wait(120, 9_000_000)]);
    expect(isShortened(100, 110)).toBe(false);
    expect(isShortened(120, 9_000_000)).toBe(true);
  });

  it.each([
    ['nothing', []],
    ['one moment', [work(5, 5)]],
    ['waiting only', [wait(0, 1_000)]],
  ])('is valid for %s', (_name, stretches) => {
    const { at: place } = timeScale(stretches);
    for (const moment of [0, 5, 500, 1_000]) {
      expect(place(moment)).toBeGreaterThanOrEqual(0);
      expect(place(moment)).toBeLessThanOrEqual(1);
    }
  });
});

function rowOf(label: string): HTMLElement {
  const row = screen.getByText(label).closest('button');
  if (!row) throw new Error(`There is no row ${label}.`);
  return row;
}

/** What a screen reader says of a button: its text without what is hidden from it. */
function accessibleText(button: HTMLElement): string {
  const copy = button.cloneNode(true) as HTMLElement;
  for (const hidden of copy.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
  return (copy.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}
