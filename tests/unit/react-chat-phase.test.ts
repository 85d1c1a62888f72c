import type { ChatStatus, UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { phaseOf } from '../../lib/client/chat/chat-phase.ts';
import type { ToolPart } from '../../lib/client/chat/message-parts.ts';
import type { FailureKind } from '../../lib/client/chat/requests/request-failure.ts';

const call = { type: 'tool-locate', toolCallId: 'c1', input: {} } as const;
const asking: ToolPart = { ...call, state: 'approval-requested', approval: { id: 'q1' } };
const approved: ToolPart = { ...call, state: 'approval-responded', approval: { id: 'q1', approved: true } };
const done: ToolPart = { ...call, state: 'output-available', output: {} };

const chat = (...parts: UIMessage['parts']): UIMessage[] => [{ id: 'a1', role: 'assistant', parts }];

describe('the phase of a chat', () => {
  it.each<[string, UIMessage[], ChatStatus, FailureKind | undefined, string]>([
    ['that has not begun', [], 'ready', undefined, 'idle'],
    ['that has its answer', chat(done), 'ready', undefined, 'idle'],
    ['that was just asked', [], 'submitted', undefined, 'running'],
    ['that is answered', chat(asking), 'streaming', undefined, 'running'],
    ['with an open question', chat(asking), 'ready', undefined, 'waiting'],
    ['whose page executes a call', chat(approved), 'ready', undefined, 'running'],
    ['that lost its server', chat(asking), 'error', 'network', 'failed'],
    ['whose edited arguments were refused', chat(asking), 'ready', 'refused', 'waiting'],
    ['whose answer has no confirmation', chat(asking), 'ready', 'unconfirmed', 'waiting'],
    ['whose answer was not received', chat(asking), 'ready', 'not-received', 'waiting'],
    ['whose message was refused', chat(done), 'error', 'refused', 'failed'],
  ])('%s: see the table', (_, messages, status, kind, phase) => {
    const failure = kind && { kind, title: '', detail: '' };
    const clientTools = new Set(['locate']);
    expect(phaseOf({ status, messages, failure, isActing: false, clientTools })).toBe(phase);
  });

  it('is running until the server has stopped', () => {
    const facts = {
      status: 'ready',
      messages: [],
      failure: undefined,
      clientTools: new Set<string>(),
    } as const;
    expect(phaseOf({ ...facts, messages: [], isActing: true })).toBe('running');
  });
});
