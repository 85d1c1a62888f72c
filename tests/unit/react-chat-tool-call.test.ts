import { describe, expect, it } from 'vitest';
import { type CallState, callOfPart, callOfReport } from '../../lib/client/calls/tool-call.ts';
import type { ToolLifecycle } from '../../lib/client/calls/tool-lifecycle.ts';
import type { KnownAnswer } from '../../lib/client/chat/live/known-answers.ts';
import type { ToolPart } from '../../lib/client/chat/message-parts.ts';

const base = { type: 'tool-process_payment', toolCallId: 'c1', input: { amount: 30 } } as const;
const yes = { id: 'q1', approved: true } as const;
const no = (reason?: string) => ({ id: 'q1', approved: false, reason }) as const;

const descriptor = { description: 'Pay Alice 30 USD.', mayAnswer: true };

/** What the server says of a call beside its texts. */
const told = (countersign: Record<string, string | boolean>) => ({ countersign });

const report = (phase: ToolLifecycle['phase']): ToolLifecycle => ({
  toolCallId: 'c1',
  toolName: 'process_payment',
  phase,
});

describe('a call of a generator tool whose result is withheld', () => {
  const part: ToolPart = { ...base, state: 'approval-responded', approval: yes };

  it('shows its preliminary output while it runs, and not afterwards', () => {
    const progressed = { ...report('progressed'), output: { rows: 1 } };
    expect(callOfPart(part, progressed, undefined)).toMatchObject({ state: 'running', output: { rows: 1 } });
    expect(callOfReport(progressed)).toMatchObject({ state: 'running', output: { rows: 1 } });
    const ended = { ...progressed, phase: 'completed' as const };
    expect(callOfPart(part, ended, undefined)).not.toHaveProperty('output');
  });

  it('shows its result once the message has it', () => {
    const done: ToolPart = { ...base, state: 'output-available', output: { rows: 3 } };
    const late = { ...report('progressed'), output: { rows: 1 } };
    expect(callOfPart(done, late, undefined)).toMatchObject({ state: 'done', output: { rows: 3 } });
  });
});

describe('a call', () => {
  it.each<[string, ToolPart, ToolLifecycle['phase'] | undefined, string]>([
    [
      'whose question is open',
      { ...base, state: 'approval-requested', approval: { id: 'q1' } },
      undefined,
      'asking',
    ],
    [
      'imported without a result',
      {
        ...base,
        state: 'output-error',
        errorText: 'Old.',
        toolMetadata: told({ imported: true, outcome: 'unknown' }),
      },
      undefined,
      'unknown',
    ],
    [
      'imported before it was approved',
      {
        ...base,
        state: 'output-error',
        errorText: 'Old.',
        toolMetadata: told({ imported: true, outcome: 'not-run' }),
      },
      undefined,
      'withdrawn',
    ],
    [
      'approved, not started yet',
      { ...base, state: 'approval-responded', approval: yes },
      undefined,
      'approved',
    ],
    ['approved and started', { ...base, state: 'approval-responded', approval: yes }, 'started', 'running'],
    [
      'approved and being retried',
      { ...base, state: 'approval-responded', approval: yes },
      'retrying',
      'retrying',
    ],
    [
      'approved, its result withheld',
      { ...base, state: 'approval-responded', approval: yes },
      'completed',
      'withheld',
    ],
    ['just denied', { ...base, state: 'approval-responded', approval: no() }, undefined, 'denied'],
    ['ungated and searching', { ...base, state: 'input-available' }, 'searching', 'searching'],
    ['with its result', { ...base, state: 'output-available', output: 1 }, undefined, 'done'],
    [
      'with a growing result',
      { ...base, state: 'output-available', output: 1, preliminary: true },
      undefined,
      'running',
    ],
    ['that failed', { ...base, state: 'output-error', errorText: '503' }, undefined, 'failed'],
    [
      'lost in a crash',
      { ...base, state: 'output-error', errorText: 'lost', toolMetadata: told({ outcome: 'unknown' }) },
      undefined,
      'unknown',
    ],
    [
      'failed with the text of a lost call',
      { ...base, state: 'output-error', errorText: 'outcome-unknown: x' },
      undefined,
      'failed',
    ],
    [
      'denied by a person',
      { ...base, state: 'output-denied', approval: no('too much') },
      undefined,
      'denied',
    ],
    ...(['superseded', 'cancelled', 'expired', 'tool-changed'] as const).flatMap(
      (word): [string, ToolPart, undefined, CallState][] => [
        [
          `withdrawn (${word})`,
          {
            ...base,
            state: 'output-denied',
            approval: no(word),
            callProviderMetadata: told({ withdrawn: word }),
          },
          undefined,
          'withdrawn',
        ],
        [
          `denied by a person with the word "${word}"`,
          { ...base, state: 'output-denied', approval: no(word) },
          undefined,
          'denied',
        ],
      ],
    ),
  ])('%s is shown as such', (_, part, phase, state) => {
    expect(callOfPart(part, phase && report(phase), undefined).state).toBe(state);
  });

  it('has a readable title', () => {
    expect(callOfPart({ ...base, state: 'input-available' }, undefined, undefined).title).toBe(
      'Process payment',
    );
  });

  const ran = (countersign: object): ToolPart => ({
    ...base,
    state: 'output-available',
    output: 1,
    approval: yes,
    toolMetadata: { countersign: JSON.parse(JSON.stringify(countersign)) },
  });
  const answer: KnownAnswer = { approved: true, at: '2026-01-01T00:00:00Z' };

  it.each<[string, ToolPart, KnownAnswer | undefined, object]>([
    [
      'read back',
      ran({ input: { amount: 20 } }),
      undefined,
      { input: { amount: 20 }, proposedInput: base.input },
    ],
    [
      'approved here a moment ago',
      { ...base, state: 'approval-responded', approval: yes },
      { ...answer, input: { amount: 20 } },
      { input: { amount: 20 }, proposedInput: base.input },
    ],
  ])('shows edited arguments, %s, beside those proposed', (_, part, known, shown) => {
    expect(callOfPart(part, undefined, known)).toMatchObject(shown);
  });

  it('shows no proposed arguments if they were not edited', () => {
    const call = callOfPart(ran({}), undefined, answer);
    expect(call.input).toEqual(base.input);
    expect(call).not.toHaveProperty('proposedInput');
  });

  it.each<[string, object, Partial<ToolLifecycle> | undefined]>([
    ['what is stored beside the outcome', { summary: 'Paid.', durationMs: 5, wasRetried: true }, undefined],
    ['what was reported, which is newer', { summary: 'Old.', durationMs: 5 }, { summary: 'Paid.' }],
    ['no odd fields', { summary: 'Paid.', durationMs: '5 ms', resultCount: null }, undefined],
  ])('shows its outcome %s', (_, stored, reported) => {
    const call = callOfPart(ran(stored), reported && { ...report('completed'), ...reported }, answer);
    expect(call.summary).toBe('Paid.');
    expect([undefined, 5]).toContain(call.durationMs);
    expect(call.resultCount).toBeUndefined();
  });

  it('shows who answered, once there is an answer', () => {
    expect(callOfPart(ran({}), undefined, answer).answer).toEqual(answer);
    const open: ToolPart = { ...base, state: 'approval-requested', approval: { id: 'q1' } };
    expect(callOfPart(open, undefined, answer)).not.toHaveProperty('answer');
  });

  it.each<[string, ToolPart]>([
    ['denied', { ...base, state: 'output-denied', approval: { ...no(), descriptor } }],
    ['approved', { ...base, state: 'approval-responded', approval: { ...yes, descriptor } }],
    ['failed', { ...base, state: 'output-error', errorText: '503', approval: { ...yes, descriptor } }],
  ])('that was asked about says what it was to do once it is %s', (_, part) => {
    expect(callOfPart(part, undefined, undefined).description).toBe('Pay Alice 30 USD.');
  });

  it.each([undefined, 'Pay.', {}, { description: 1 }])('has no sentence with the descriptor %j', (odd) => {
    const part: ToolPart = { ...base, state: 'output-denied', approval: { ...no(), descriptor: odd } };
    expect(callOfPart(part, undefined, undefined)).not.toHaveProperty('description');
  });

  it('that a rule denied says so, with the reason; one that a rule let run has no approval', () => {
    const denied: ToolPart = {
      ...base,
      state: 'output-denied',
      approval: { ...no('over the limit'), isAutomatic: true },
    };
    expect(callOfPart(denied, undefined, undefined).approval).toEqual({
      id: 'q1',
      approved: false,
      reason: 'over the limit',
      isAutomatic: true,
    });
    const allowed: ToolPart = {
      ...base,
      state: 'output-available',
      output: 1,
      approval: { ...yes, isAutomatic: true },
    };
    expect(callOfPart(allowed, undefined, undefined)).not.toHaveProperty('approval');
  });

  it('that a regenerate kept shows who approved it, although its part repeats the approval as automatic', () => {
    const part: ToolPart = {
      ...base,
      state: 'output-available',
      output: 1,
      approval: { ...yes, isAutomatic: true },
    };
    const answer: KnownAnswer = {
      approved: true,
      at: '2026-01-01T00:00:00Z',
      by: { id: 'ada', name: 'Ada' },
    };
    expect(callOfPart(part, undefined, answer)).toMatchObject({ approval: yes, answer });
    expect(callOfPart(part, undefined, undefined).approval).toBeUndefined();
  });
});
