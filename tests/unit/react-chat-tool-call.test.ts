import { describe, expect, it } from 'vitest';
import type { ToolPart } from '../../app/_chat/chat-message.ts';
import { callOfPart } from '../../app/_chat/tool-call.ts';
import type { ToolLifecycle } from '../../app/_chat/tool-lifecycle.ts';

const base = { type: 'tool-process_payment', toolCallId: 'c1', input: { amount: 30 } } as const;
const yes = { id: 'q1', approved: true } as const;
const no = (reason?: string) => ({ id: 'q1', approved: false, reason }) as const;

const report = (phase: ToolLifecycle['phase']): ToolLifecycle => ({
  toolCallId: 'c1',
  toolName: 'process_payment',
  kind: 'function',
  phase,
  at: '2026-01-01T00:00:00Z',
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
      'held',
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
      { ...base, state: 'output-error', errorText: 'outcome-unknown: x' },
      undefined,
      'unknown',
    ],
    [
      'denied by a person',
      { ...base, state: 'output-denied', approval: no('too much') },
      undefined,
      'denied',
    ],
    ['superseded', { ...base, state: 'output-denied', approval: no('superseded') }, undefined, 'withdrawn'],
    ['cancelled', { ...base, state: 'output-denied', approval: no('cancelled') }, undefined, 'withdrawn'],
  ])('%s is shown as such', (_, part, phase, state) => {
    expect(callOfPart(part, phase && report(phase)).state).toBe(state);
  });

  it('has a readable title', () => {
    expect(callOfPart({ ...base, state: 'input-available' }, undefined).title).toBe('Process payment');
  });

  it('shows the arguments it ran with when they were edited', () => {
    const part: ToolPart = {
      ...base,
      state: 'output-available',
      output: 1,
      toolMetadata: { countersign: { input: { amount: 20 } } },
    };
    expect(callOfPart(part, undefined).input).toEqual({ amount: 20 });
  });
});
