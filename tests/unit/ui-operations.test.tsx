import '../support/dom.ts';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { operations } from 'countersign/plugins/operations';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RailProvider } from '../../app/_frame/rail-state.tsx';
import { ThemeProvider } from '../../app/_frame/theme-switch.tsx';
import { OperationsScreen } from '../../app/operations/operations-screen.tsx';
import type { Principal } from '../../lib/protocol/index.ts';
import { countingTools, questionIn } from '../support/flow-fixture.ts';
import { serveFixture, userHeader } from '../support/serve-fixture.ts';

configure({ asyncUtilTimeout: 10_000 });
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The page of somebody who may operate, with one call of Ada's whose outcome is unknown. */
async function opened(
  user: string,
  settings: { readonly mayAnswer?: (principal: Principal) => boolean } = {},
) {
  const { tools } = countingTools();
  const execute = async (): Promise<string> => {
    throw Object.assign(new Error('The line was cut.'), { code: 'ECONNRESET' });
  };
  const { url, chat, flow } = await serveFixture(
    [[{ call: 'pay', input: { to: 'Alice', amount: 30 } }], [{ text: 'Not sure.' }]],
    {
      tools: { ...tools, pay: { ...tools.pay, execute } } as never,
      mayOperate: () => true,
      ...settings,
      plugins: [operations()],
    },
  );
  const approvalId = questionIn(await chat().say('Pay.'));
  const principal = { id: settings.mayAnswer ? 'olga' : 'ada', name: 'Olga' };
  await flow.approvals.answer({ principal, approvalId: approvalId as never, via: 'http', approved: true });
  await expect.poll(async () => (await flow.operations.read({ principal })).outcomes.length).toBe(1);
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) =>
    fetch(new URL(path, url), { ...init, headers: { ...init?.headers, [userHeader]: user } }),
  );
  render(
    <ThemeProvider initial="system">
      <RailProvider>
        <OperationsScreen />
      </RailProvider>
    </ThemeProvider>,
  );
  return within(await screen.findByRole('region', { name: 'Unknown outcomes' }));
}

describe('the operations page', () => {
  it('records an outcome for a person who may answer, but not see the chat', async () => {
    const page = await opened('olga', { mayAnswer: ({ id }) => id === 'olga' });
    expect(page.queryByRole('link', { name: 'chat' })).toBeNull();
    page.getByRole('link', { name: 'Open the request' });
    fireEvent.click(page.getByLabelText('It happened'));
    const save = page.getByRole('button', { name: 'Record outcome' });
    save.focus();
    // While the run still ends, the server refuses.
    await waitFor(() => {
      if (save.isConnected) fireEvent.click(save);
      page.getByText(/^Approved calls appear here/);
    });
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Unknown outcomes' }));
  });

  it('has no form for a person who may not answer', async () => {
    const page = await opened('ben');
    page.getByText(/Only people who may answer can record the outcome\. Request: apr_/);
    expect(page.queryByRole('button', { name: 'Record outcome' })).toBeNull();
  });
});
