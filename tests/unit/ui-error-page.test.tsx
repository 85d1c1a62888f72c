// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RailProvider } from '../../app/_frame/rail-state.tsx';
import { ThemeProvider } from '../../app/_frame/theme-switch.tsx';
import ErrorPage from '../../app/error.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('the page of an error', () => {
  it('says that nothing is lost, shows no details but the number in the log, and loads the page again', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7'), { digest: '1234567' });
    render(
      <ThemeProvider initial="system">
        <RailProvider>
          <ErrorPage error={error} />
        </RailProvider>
      </ThemeProvider>,
    );
    screen.getByRole('heading', { level: 1, name: 'Something went wrong' });
    const lead = screen.getByText(/Your chats and answers are safe on the server\./).parentElement;
    expect(lead?.textContent).toContain('on the server. Error 1234567.');
    expect(document.body.textContent).not.toContain('ECONNREFUSED');
    expect(screen.getByRole('link', { name: 'Open the inbox' }).getAttribute('href')).toBe('/inbox');
    const reload = vi.fn();
    vi.stubGlobal('location', { reload });
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(reload).toHaveBeenCalledOnce();
  });
});
