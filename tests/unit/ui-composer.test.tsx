// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ChatPhase } from 'countersign/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Composer } from '../../app/_components/composer.tsx';

function show(phase: ChatPhase) {
  const onSend = vi.fn();
  const onStop = vi.fn();
  render(<Composer phase={phase} onSend={onSend} onStop={onStop} />);
  return { onSend, onStop, box: screen.getByRole('textbox', { name: 'Message' }) };
}

describe('the message box', () => {
  afterEach(cleanup);

  it.each<[string, ChatPhase, object, readonly string[]]>([
    ['Enter sends', 'idle', { key: 'Enter' }, ['hello']],
    ['Enter sends while a question is open', 'waiting', { key: 'Enter' }, ['hello']],
    ['Enter sends nothing while the assistant runs', 'running', { key: 'Enter' }, []],
    ['Shift and Enter sends nothing', 'idle', { key: 'Enter', shiftKey: true }, []],
    ['Control and Enter sends nothing', 'waiting', { key: 'Enter', ctrlKey: true }, []],
    ['Enter that ends a composed word sends nothing', 'idle', { key: 'Enter', isComposing: true }, []],
  ])('%s', (_, phase, keys, sent) => {
    const { box, onSend } = show(phase);
    fireEvent.change(box, { target: { value: '  hello ' } });
    fireEvent.keyDown(box, keys);
    expect(onSend.mock.calls.flat()).toEqual(sent);
  });

  it.each<[ChatPhase, boolean]>([
    ['idle', false],
    ['running', true],
    ['waiting', true],
    ['failed', false],
  ])('while %s, Stop is shown: %s', (phase, isThere) => {
    show(phase);
    expect(screen.queryByRole('button', { name: 'Stop' }) !== null).toBe(isThere);
  });

  it('does not send white space', () => {
    const { box, onSend } = show('idle');
    fireEvent.change(box, { target: { value: '   ' } });
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(onSend).not.toHaveBeenCalled();
  });

  it('says that a new message cancels the open question', () => {
    const { box } = show('waiting');
    const hint = document.getElementById(box.getAttribute('aria-describedby') ?? '');
    expect(hint?.textContent).toBe('A new message withdraws the open question.');
  });
});
