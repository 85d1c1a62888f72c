// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { PluginNotice } from '../../app/chats/_chat/plugin-notice.tsx';

const said = (text: string) => ({
  id: 'a1',
  role: 'assistant' as const,
  parts: [{ type: 'text' as const, text }],
});
const loaded = { phase: 'running' as const, messages: [said('Let me')], draft: '' };
const isShown = () => screen.queryByRole('status') !== null;

describe('the notice about the plugin that a run waits for', () => {
  afterEach(cleanup);

  it.each<[string, object, boolean]>([
    ['nothing has arrived', { messages: [said('Let me')] }, true],
    ['a text grows', { messages: [said('Let me see')] }, false],
    ['a draft grows', { draft: 'see' }, false],
    ['a message arrives', { messages: [said('Let me'), said('Done')] }, false],
    ['the run is stopped', { phase: 'idle' }, false],
  ])('when %s, is shown: %s', (_what, now, shown) => {
    const run = { status: 'active' as const, waitsForPlugin: 'votes' };
    const { rerender } = render(<PluginNotice run={run} chat={loaded} />);
    expect(screen.getByRole('status').textContent).toBe(
      'Waiting for a server with the plugin “votes”. You can stop this response.',
    );
    rerender(<PluginNotice run={run} chat={{ ...loaded, ...now }} />);
    expect(isShown()).toBe(shown);
  });

  it('is absent for a run that waits for none', () => {
    render(<PluginNotice run={{ status: 'active' }} chat={loaded} />);
    expect(isShown()).toBe(false);
  });
});
