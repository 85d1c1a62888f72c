// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { type CallState, type CallView, type KnownAnswer, PersonProvider, ToolCard } from 'countersign/react';
import { afterEach, describe, expect, it } from 'vitest';

const call: CallView = {
  toolCallId: 'c1',
  toolName: 'process_payment',
  title: 'Process payment',
  state: 'done',
  input: { recipient: 'Alice' },
};

function card(): HTMLElement {
  const details = document.querySelector('details');
  if (!details) throw new Error('There is no card.');
  return details;
}

function show(given: Partial<CallView> = {}) {
  render(<ToolCard call={{ ...call, ...given }} />);
}

afterEach(cleanup);

describe('ToolCard', () => {
  it.each<[CallState, string, string]>([
    ['preparing', 'Preparing', 'true'],
    ['running', 'Running', 'true'],
    ['searching', 'Searching', 'true'],
    ['retrying', 'Retrying', 'true'],
    ['withheld', 'Done', 'false'],
    ['done', 'Done', 'false'],
    ['failed', 'Failed', 'false'],
    ['unknown', 'Outcome unknown', 'false'],
    ['denied', 'Not run', 'false'],
    ['withdrawn', 'Not run', 'false'],
  ])('that is %s says “%s”', (state, words, busy) => {
    show({ state });
    expect(card().textContent).toContain(`Process payment ${words}`);
    expect(card().dataset).toMatchObject({ state, busy, tool: 'process_payment' });
  });

  it.each<[CallState, string]>([
    ['done', 'Paid Alice 25 USD Process payment · Done'],
    ['withheld', 'Paid Alice 25 USD Process payment · Done'],
    ['running', 'Proposed: Pay Alice 30 USD. Process payment · RunningPaid Alice 25 USD'],
  ])('that is %s says what it did only once it has done it', (state, words) => {
    const description = 'Pay Alice 30 USD.';
    show({ state, description, proposedInput: {}, summary: 'Paid Alice 25 USD' });
    expect(card().querySelector('summary')?.textContent).toBe(words);
  });

  it.each<[string, Partial<CallView>, RegExp]>([
    [
      'denied',
      {
        state: 'denied',
        approval: { id: 'q1', approved: false, reason: 'not now' },
        answer: { approved: false, at: '2029-12-31T12:00:00Z', by: { id: 'bob', name: 'Bob' } },
      },
      /^Pay Alice 30 USD\. Process payment · Not runDenied by Bob, .+: not now/,
    ],
    [
      'denied by a rule',
      {
        state: 'denied',
        approval: { id: 'q1', approved: false, reason: 'over the limit', isAutomatic: true },
      },
      /^Pay Alice 30 USD\. Process payment · Not runDenied by a rule: over the limit/,
    ],
    [
      'withdrawn',
      { state: 'withdrawn', approval: { id: 'q1', approved: false, withdrawn: 'superseded' } },
      /^Pay Alice 30 USD\. Process payment · Not runCancelled by a new message/,
    ],
    [
      'expired',
      { state: 'withdrawn', approval: { id: 'q1', approved: false, withdrawn: 'expired' } },
      /^Pay Alice 30 USD\. Process payment · Not runDenied: no answer in time/,
    ],
    [
      'stopped',
      { state: 'withdrawn', approval: { id: 'q1', approved: false, withdrawn: 'cancelled' } },
      /^Pay Alice 30 USD\. Process payment · Not runCancelled: the run was stopped/,
    ],
    ['failed', { state: 'failed', problem: '503' }, /^Pay Alice 30 USD\. Process payment · Failed503/],
    ['unknown', { state: 'unknown' }, /^Pay Alice 30 USD\. Process payment · Outcome unknown/],
    [
      'done with edited arguments',
      { state: 'done', proposedInput: { recipient: 'Alice' } },
      /^Proposed: Pay Alice 30 USD\. Process payment · Done/,
    ],
    ['approved', { state: 'approved' }, /^Pay Alice 30 USD\. Process payment(?! ·)/],
  ])('that is %s says first what it was to do', (_, given, words) => {
    show({ description: 'Pay Alice 30 USD.', ...given });
    expect(card().querySelector('summary')?.textContent).toMatch(words);
  });

  it('says that it was imported, and asks nobody about its outcome', () => {
    render(<ToolCard call={{ ...call, state: 'unknown', imported: true }} onResolve={() => {}} />);
    expect(card().textContent).toContain('Outcome unknown');
    expect(card().textContent).toContain('imported');
    expect(card().querySelector('form, fieldset, button')).toBeNull();
  });

  it('shows its result, the count, the attempts and the duration', () => {
    show({ summary: 'Found Alice and Bob', resultCount: 2, durationMs: 2140, wasRetried: true });
    expect(card().textContent).toContain('Found Alice and Bob');
    expect(card().textContent).toContain('2 results · tried twice · 2.1 s');
  });

  it.each([
    [0, true],
    [1, false],
    [12, true],
  ])('counts %i results: %s, because a payment is not a list of one item', (resultCount, isCounted) => {
    show({ summary: 'Paid Alice 30', resultCount });
    expect(/\d results?/.test(card().textContent ?? '')).toBe(isCounted);
  });

  it.each<[string, KnownAnswer['by'] | undefined, string]>([
    ['by this page', undefined, 'Approved by you, '],
    ['by this person, on another page or before a reload', { id: 'ada', name: 'Ada' }, 'Approved by you, '],
    ['by another person', { id: 'ben', name: 'Ben' }, 'Approved by Ben, '],
  ])('that was approved %s says who did it', (_, by, words) => {
    const answer = { approved: true, at: '2029-12-31T12:00:00Z', ...(by && { by }) };
    render(
      <PersonProvider id="ada">
        <ToolCard call={{ ...call, approval: { id: 'q1', approved: true }, answer }} />
      </PersonProvider>,
    );
    expect(card().textContent).toContain(words);
  });

  it('shows neither a seal nor an answer while the server has not confirmed it', () => {
    const sending = { approved: true, at: '2029-12-31T12:00:00Z' };
    show({ state: 'sending', sending, description: 'Pay Alice 30 USD.' });
    expect(card().querySelector('summary')?.textContent).toBe(
      'Pay Alice 30 USD. Process payment · Sending your answer',
    );
    expect(card().querySelector('[data-countersign="seal"], [data-countersign="settled-line"]')).toBeNull();
  });

  it.each([
    [{ approved: true }, undefined, 'Approved'],
    [{ approved: true }, { approved: true, at: '2029-12-31T12:00:00Z' }, /Approved by you, /],
    [
      { approved: false, reason: 'no' },
      { approved: false, at: '2029-12-31T12:00:00Z', by: { id: 'bob', name: 'Bob' } },
      /Denied by Bob, .+: no/,
    ],
    [
      { approved: true },
      { approved: true, at: '2029-12-31T12:00:00Z', input: {} },
      /Approved with edited arguments by you/,
    ],
    [{ approved: false, withdrawn: 'superseded' }, undefined, 'Cancelled by a new message'],
    [{ approved: false, withdrawn: 'expired' }, undefined, 'Denied: no answer in time'],
    [{ approved: false, reason: 'expired' }, undefined, 'Denied: expired'],
  ] as const)('shows how its question ended: %j', (approval, answer, words) => {
    show({ approval: { id: 'q1', ...approval }, ...(answer && { answer }) });
    const line = document.querySelector('[data-countersign="settled-line"]');
    expect(line?.textContent).toMatch(words);
  });

  it('shows what was changed before it ran', () => {
    show({ proposedInput: { recipient: 'Mallory' } });
    expect(card().textContent).toContain('was Mallory becomes Alice');
  });

  it('shows the error, and invisible characters', () => {
    show({ state: 'failed', problem: 'No\u202E way.' });
    expect(card().textContent).toContain('No⟨U+202E right-to-left override⟩ way.');
  });

  it('shows arguments and results with the page’s own renderers if there are any', () => {
    render(
      <ToolCard
        call={{ ...call, output: { paid: true } }}
        renderInput={() => <p>my input</p>}
        renderOutput={() => <p>my output</p>}
      />,
    );
    expect(card().textContent).toContain('my input');
    expect(card().textContent).toContain('my output');
    expect(card().textContent).not.toContain('Yes');
  });
});
