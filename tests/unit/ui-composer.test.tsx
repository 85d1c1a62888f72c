// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ChatPhase } from 'countersign/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Composer } from '../../app/chats/_chat/composer.tsx';
import { forgetUnsentTexts } from '../../app/chats/_chat/use-unsent-text.ts';

function show(phase: ChatPhase) {
  const onSend = vi.fn();
  const onStop = vi.fn();
  render(<Composer phase={phase} place="chat" onSend={onSend} onStop={onStop} />);
  return { onSend, onStop, box: screen.getByRole('textbox', { name: 'Message' }) };
}

describe('the message box', () => {
  afterEach(() => {
    cleanup();
    sessionStorage.clear();
  });

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

  it('keeps what was typed for this chat until it is sent, and for no other', () => {
    fireEvent.change(show('idle').box, { target: { value: 'half a thought' } });
    cleanup();
    const { box } = show('idle');
    expect(box).toHaveProperty('value', 'half a thought');
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(box).toHaveProperty('value', '');
    cleanup();
    expect(show('idle').box).toHaveProperty('value', '');
    cleanup();
    sessionStorage.setItem('unsent:other', 'something else');
    expect(show('idle').box).toHaveProperty('value', '');
  });

  it('forgets what was typed when another person signs in, and nothing else of the tab', () => {
    fireEvent.change(show('idle').box, { target: { value: 'half a thought' } });
    cleanup();
    sessionStorage.setItem('other', 'kept');
    forgetUnsentTexts();
    expect(show('idle').box).toHaveProperty('value', '');
    expect(sessionStorage.getItem('other')).toBe('kept');
  });

  it('keeps what was typed before the page was hydrated', async () => {
    const onSend = vi.fn();
    const page = <Composer phase="idle" place="new" onSend={onSend} onStop={() => {}} />;
    const place = document.body.appendChild(document.createElement('div'));
    place.innerHTML = renderToString(page);
    const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
    box.value = 'typed early';
    const { rerender } = render(page, { container: place, hydrate: true });
    rerender(<Composer phase="waiting" place="new" onSend={onSend} onStop={() => {}} />);
    expect(box.value).toBe('typed early');
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(onSend.mock.calls).toEqual([['typed early']]);
  });

  it('works in a browser that stores nothing', () => {
    vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
      throw new DOMException('Denied.', 'SecurityError');
    });
    const { box, onSend } = show('idle');
    fireEvent.change(box, { target: { value: 'hello' } });
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(onSend.mock.calls).toEqual([['hello']]);
    vi.restoreAllMocks();
  });

  it('is one line while a question is open that can be answered here, until it is unfolded', () => {
    const onStop = vi.fn();
    const page = (asked?: string) => (
      <Composer phase="waiting" asked={asked} place="chat" onSend={vi.fn()} onStop={onStop} />
    );
    const { rerender } = render(page('q1'));
    expect(screen.queryByRole('textbox')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    expect(onStop).toHaveBeenCalledOnce();
    fireEvent.click(screen.getByRole('button', { name: 'Say something instead' }));
    const box = screen.getByRole('textbox', { name: 'Message' });
    expect(document.activeElement).toBe(box);
    fireEvent.change(box, { target: { value: 'wait' } });
    rerender(page('q2'));
    expect(screen.getByRole('textbox')).toBe(box);
    fireEvent.change(box, { target: { value: '' } });
    expect(screen.getByRole('textbox')).toBe(box);
    rerender(page('q3'));
    expect(screen.queryByRole('textbox')).toBeNull();
    rerender(page());
    expect(screen.getByRole('textbox')).toBeTruthy();
  });

  it('says that a new message cancels the open request', () => {
    const { box } = show('waiting');
    const hint = document.getElementById(box.getAttribute('aria-describedby') ?? '');
    expect(hint?.textContent).toBe('Sending a message cancels this request.');
  });
});
