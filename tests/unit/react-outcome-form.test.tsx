// @vitest-environment jsdom
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type CallView, type OutcomeToRecord, ToolCard } from 'countersign/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { postOutcome } from '../../lib/client/calls/post-outcome.ts';
import { callOfPart } from '../../lib/client/calls/tool-call.ts';

configure({ asyncUtilTimeout: 10_000 });

const call: CallView = {
  toolCallId: 'c1',
  toolName: 'process_payment',
  title: 'Process payment',
  state: 'unknown',
  input: { recipient: 'Alice' },
  problem: 'The connection was reset.',
};

afterEach(cleanup);

const form = () => document.querySelector('form');

describe('the card of a call whose outcome is unknown', () => {
  it('asks what happened, with nothing preselected', () => {
    render(<ToolCard call={call} onResolve={() => {}} />);
    expect(document.querySelector('details')?.open).toBe(true);
    expect(document.querySelector('summary')?.textContent).toContain('Outcome unknown');
    expect(screen.getByRole('group', { name: 'What happened?' })).toBeTruthy();
    const choices = screen.getAllByRole<HTMLInputElement>('radio');
    expect(choices.map(({ checked, required }) => [checked, required])).toEqual([
      [false, true],
      [false, true],
    ]);
    expect(screen.getByLabelText(/^Note/)).toBeTruthy();
  });

  it.each<[string, object]>([
    ['no way to record it', { call }],
    ['an outcome that is known', { call: { ...call, state: 'failed' }, onResolve: () => {} }],
  ])('asks nothing with %s', (_what, props) => {
    render(<ToolCard {...(props as { call: CallView })} />);
    expect(form()).toBeNull();
  });

  it('records the choice and the note, once', async () => {
    const recorded: OutcomeToRecord[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const onResolve = (outcome: OutcomeToRecord) => {
      recorded.push(outcome);
      return promise;
    };
    render(<ToolCard call={call} onResolve={onResolve} />);
    fireEvent.click(screen.getByLabelText("It didn't run"));
    fireEvent.change(screen.getByLabelText(/^Note/), { target: { value: ' Not on the statement. ' } });
    fireEvent.submit(form() as HTMLFormElement);
    fireEvent.submit(form() as HTMLFormElement);
    expect(recorded).toEqual([{ outcome: 'not-run', note: 'Not on the statement.' }]);
    expect(form()?.getAttribute('aria-busy')).toBe('true');
    resolve();
    await waitFor(() => expect(form()?.getAttribute('aria-busy')).toBe('false'));
  });

  it('leaves the focus with the call when the form is gone', async () => {
    function Page() {
      const [state, setState] = useState<CallView['state']>('unknown');
      return <ToolCard call={{ ...call, state }} onResolve={() => setState('done')} />;
    }
    render(<Page />);
    fireEvent.click(screen.getByLabelText('It happened'));
    screen.getByRole('button', { name: 'Record outcome' }).focus();
    fireEvent.submit(form() as HTMLFormElement);
    await waitFor(() => expect(form()).toBeNull());
    await waitFor(() => expect(document.activeElement?.tagName).toBe('SUMMARY'));
  });

  it('shows why it was refused, and keeps the input', async () => {
    const onResolve = async () => {
      throw new Error(JSON.stringify({ error: { code: 'forbidden', message: 'This is for a manager.' } }));
    };
    render(<ToolCard call={call} onResolve={onResolve} />);
    fireEvent.click(screen.getByLabelText('It happened'));
    fireEvent.change(screen.getByLabelText(/^Note/), { target: { value: 'Seen.' } });
    fireEvent.submit(form() as HTMLFormElement);
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('This is for a manager.'));
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Note/).value).toBe('Seen.');
    expect(screen.getByLabelText<HTMLInputElement>('It happened').checked).toBe(true);
  });

  it.each([
    ['completed', 'person', 'Ada recorded that it happened, '],
    ['not-run', 'person', "Ada recorded that it didn't run, "],
    ['failed', 'person', 'Ada recorded that it failed, '],
    ['completed', 'late', 'The outcome arrived late, at '],
    ['completed', 'lookup', 'The outcome was looked up at '],
  ] as const)('shows afterwards who reported the outcome: %s, %s', (outcome, source, words) => {
    const at = '2029-12-31T12:00:00Z';
    const resolved = { outcome, source, at, by: { id: 'ada', name: 'Ada' }, note: 'On \u202Ethe statement.' };
    render(<ToolCard call={{ ...call, state: 'done', resolved }} onResolve={() => {}} />);
    const line = document.querySelector('[data-countersign="tool-resolution"]');
    expect(line?.textContent?.startsWith(words)).toBe(true);
    expect(line?.querySelector('time')?.getAttribute('datetime')).toBe(at);
    expect(line?.querySelector('q')?.textContent).toBe('On ⟨U+202E right-to-left override⟩the statement.');
    expect(form()).toBeNull();
  });
});

describe('a call as its message describes it', () => {
  const part = { type: 'tool-pay', toolCallId: 'c1', input: {}, state: 'output-error' } as const;
  const told = (resolved: unknown) =>
    callOfPart(
      { ...part, errorText: 'It did not run.', toolMetadata: { countersign: { resolved } } } as never,
      undefined,
      undefined,
    );

  it('is shown as not run if someone recorded that it did not run', () => {
    const resolved = {
      outcome: 'not-run',
      source: 'person',
      at: '2030-01-01T00:00:00.000Z',
      by: { id: 'a', name: 'A', role: 'x' },
    };
    expect(told(resolved)).toMatchObject({
      state: 'withdrawn',
      resolved: {
        outcome: 'not-run',
        source: 'person',
        at: '2030-01-01T00:00:00.000Z',
        by: { id: 'a', name: 'A' },
      },
    });
  });

  it.each([
    undefined,
    null,
    'x',
    {},
    { outcome: 'paid', source: 'person', at: '' },
    { outcome: 'failed', source: 'me', at: '' },
  ])('ignores an invalid resolution: %j', (resolved) => {
    expect(told(resolved)).not.toHaveProperty('resolved');
  });
});

describe('recording an outcome', () => {
  const target = { chatId: 'a chat', toolCallId: 'functions.pay:0' };
  const answering = (status: number, body: unknown) =>
    vi.fn<typeof fetch>(async () => new Response(JSON.stringify(body), { status }));

  it('posts it to the call', async () => {
    const fetch = answering(200, {});
    await postOutcome({ fetch }, target, { outcome: 'completed', note: 'Seen.' });
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe('/api/chat/a%20chat/outcomes/functions.pay%3A0');
    expect(init).toMatchObject({ method: 'POST', body: '{"outcome":"completed","note":"Seen."}' });
  });

  it('accepts that another person was first', async () => {
    const fetch = answering(409, { error: { code: 'already-answered', message: 'Recorded already.' } });
    await expect(postOutcome({ fetch }, target, { outcome: 'completed' })).resolves.toBeUndefined();
  });

  it('passes on what the server says about any other refusal', async () => {
    const fetch = answering(403, { error: { code: 'forbidden', message: 'Not you.' } });
    await expect(postOutcome({ fetch }, target, { outcome: 'completed' })).rejects.toThrow('Not you.');
  });
});
