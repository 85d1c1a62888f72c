// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime.js';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { NotificationSwitch } from '../../app/_frame/notification-switch.tsx';
import { IdentityProvider } from '../../app/_identity/identity-state.tsx';
import { useApprovalNotifications } from '../../lib/react/tab/use-approval-notifications.ts';
import { useTabMark } from '../../lib/react/tab/use-tab-mark.ts';
import { untilIdle } from '../support/until-idle.ts';
import { waitFor } from '../support/wait-for.ts';

function Tab({ count, isAtLeast }: { count: number; isAtLeast?: boolean }) {
  useTabMark(count, isAtLeast);
  return null;
}

/** Mutation observers call back after the current task. */
const settle = () => act(async () => {});

afterEach(() => {
  cleanup();
  document.head.replaceChildren();
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe('the title of the tab', () => {
  it('counts waiting questions, even after a page has set its own title, and stops when there are none', async () => {
    document.title = 'Inbox';
    const { rerender } = render(<Tab count={2} />);
    expect(document.title).toBe('(2)\u00a0Inbox');
    document.title = 'Sessions';
    await settle();
    expect(document.title).toBe('(2)\u00a0Sessions');
    rerender(<Tab count={50} isAtLeast />);
    expect(document.title).toBe('(50+)\u00a0Sessions');
    rerender(<Tab count={0} />);
    expect(document.title).toBe('Sessions');
  });

  it('leaves a number at the beginning of a title alone', () => {
    document.title = '(3) things to pay';
    const { rerender } = render(<Tab count={1} />);
    rerender(<Tab count={0} />);
    expect(document.title).toBe('(3) things to pay');
  });
});

/** The icon of a page, in a browser whose canvas has one picture for each icon. @param load of the icon's picture */
function withIcon(load: () => Promise<void> = async () => {}) {
  const drawn = { address: '', discs: 0 };
  const put = (prototype: object, name: string, value: unknown) => {
    const own = Object.getOwnPropertyDescriptor(prototype, name);
    Object.defineProperty(prototype, name, { value, configurable: true });
    onTestFinished(() => {
      if (own) Object.defineProperty(prototype, name, own);
      else Reflect.deleteProperty(prototype, name);
    });
  };
  put(HTMLImageElement.prototype, 'decode', load);
  put(HTMLCanvasElement.prototype, 'toDataURL', () => `data:image/png,${drawn.address}#${drawn.discs}-discs`);
  put(HTMLCanvasElement.prototype, 'getContext', function context(this: HTMLCanvasElement) {
    drawn.discs = 0;
    return {
      canvas: this,
      drawImage: ({ src }: HTMLImageElement) => {
        drawn.address = src;
      },
      beginPath() {},
      arc() {},
      fill: () => {
        drawn.discs += 1;
      },
    };
  });
  const set = (name: string) => {
    document.head.querySelector('link')?.remove();
    const link = document.createElement('link');
    link.rel = 'icon';
    link.href = `http://app.example/${name}`;
    document.head.append(link);
  };
  const shown = () => document.head.querySelector('link')?.href;
  const withDot = (name: string) => `data:image/png,http://app.example/${name}#2-discs`;
  return { set, shown, withDot };
}

describe('the icon of the tab', () => {
  it('has a dot while questions wait, even after the page has set another icon, and none afterwards', async () => {
    const icon = withIcon();
    icon.set('plain.svg');
    const { rerender, unmount } = render(<Tab count={1} />);
    await settle();
    expect(icon.shown()).toBe(icon.withDot('plain.svg'));
    rerender(<Tab count={2} />);
    await settle();
    expect(icon.shown()).toBe(icon.withDot('plain.svg'));
    icon.set('other.svg');
    await settle();
    expect(icon.shown()).toBe(icon.withDot('other.svg'));
    rerender(<Tab count={0} />);
    expect(icon.shown()).toBe('http://app.example/other.svg');
    rerender(<Tab count={1} />);
    await settle();
    expect(icon.shown()).toBe(icon.withDot('other.svg'));
    unmount();
    expect(icon.shown()).toBe('http://app.example/other.svg');
  });

  it('gets no dot if the questions are settled before the picture is loaded', async () => {
    const loading = Promise.withResolvers<void>();
    const icon = withIcon(() => loading.promise);
    icon.set('plain.svg');
    const { rerender } = render(<Tab count={1} />);
    rerender(<Tab count={0} />);
    loading.resolve();
    await settle();
    expect(icon.shown()).toBe('http://app.example/plain.svg');
  });

  it('stays as it is when its picture cannot be loaded, and the title still counts', async () => {
    const icon = withIcon(() => Promise.reject(new Error('The picture is broken.')));
    icon.set('plain.svg');
    document.title = 'Inbox';
    render(<Tab count={1} />);
    await settle();
    expect(icon.shown()).toBe('http://app.example/plain.svg');
    expect(document.title).toBe('(1)\u00a0Inbox');
  });
});

/** Locks of one origin, for all tabs of a test. */
function sharedLocks() {
  const held: string[] = [];
  return {
    async request(name: string, options: { ifAvailable?: boolean }, use: (lock: object | null) => unknown) {
      if (options.ifAvailable && held.includes(name)) return use(null);
      held.push(name);
      await use({ name });
      held.splice(held.indexOf(name), 1);
    },
    query: async () => ({ held: held.map((name) => ({ name })) }),
  };
}

const question = {
  ...{ id: 'q1', chatId: 'chat', toolCallId: 'c1', toolName: 'pay', title: 'Payment', input: {} },
  ...{ description: 'Pay Alice 30.', state: 'open', mayAnswer: true, mayEdit: false, mayRemember: false },
};

type Opening = { readonly visible?: boolean; readonly permission?: string; readonly page?: ReactNode };

/** Tabs that read the same feed, in a browser that has been asked for permission. @param page default: the hook alone */
function openTabs(count: number, { visible = false, permission = 'default', page }: Opening = {}) {
  const shown: { title: string; body: string; isOpen: boolean; onclick?: () => void }[] = [];
  class FakeNotification {
    static permission = permission;
    static requestPermission = vi.fn(async () => {
      FakeNotification.permission = 'granted';
    });
    isOpen = true;
    title: string;
    body: string;
    constructor(title: string, { body }: { body: string }) {
      this.title = title;
      this.body = body;
      shown.push(this);
    }
    close() {
      this.isOpen = false;
    }
  }
  vi.stubGlobal('Notification', FakeNotification);
  Object.defineProperty(navigator, 'locks', { value: sharedLocks(), configurable: true });
  Object.defineProperty(document, 'visibilityState', {
    value: visible ? 'visible' : 'hidden',
    configurable: true,
  });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'));
  onTestFinished(() => void Reflect.deleteProperty(document, 'visibilityState'));
  const feeds: ReadableStreamDefaultController<Uint8Array>[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    if (url === '/api/session') return Response.json({ user: { id: 'ada', name: 'Ada' } });
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void feeds.push(controller) });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
  const onOpen = vi.fn();
  function Page() {
    const { state, turnOn, turnOff } = useApprovalNotifications(onOpen);
    return (
      <>
        <p>{state}</p>
        <button type="button" onClick={() => void turnOn()}>
          On
        </button>
        <button type="button" onClick={turnOff}>
          Off
        </button>
      </>
    );
  }
  const pages = Array.from({ length: count }, () => render(page ?? <Page />));
  return {
    shown,
    onOpen,
    requestPermission: FakeNotification.requestPermission,
    states: () => pages.map(({ container }) => container.querySelector('p')?.textContent),
    async press(name: 'On' | 'Off') {
      for (const button of screen.getAllByRole('button', { name })) {
        await act(async () => void fireEvent.click(button));
      }
    },
    async feed(type: 'opened' | 'settled', changes: object = {}) {
      await waitFor(() => expect(feeds).toHaveLength(count));
      const frame = `event: ${type}\ndata: ${JSON.stringify({ ...question, ...changes })}\n\n`;
      for (const controller of feeds) controller.enqueue(new TextEncoder().encode(frame));
    },
  };
}

describe('notifications', () => {
  it('are requested by a click, and never before', async () => {
    const tab = openTabs(1);
    expect(tab.states()).toEqual(['off']);
    await tab.feed('opened');
    await settle();
    expect(tab.requestPermission).not.toHaveBeenCalled();
    expect(tab.shown).toEqual([]);
    await tab.press('On');
    expect(tab.requestPermission).toHaveBeenCalledOnce();
    expect(tab.states()).toEqual(['on']);
  });

  it('come once for two tabs, open the question, and close when it is settled', async () => {
    const tabs = openTabs(2);
    await tabs.press('On');
    await tabs.feed('opened');
    await waitFor(() => expect(tabs.shown).toHaveLength(1));
    const [notification] = tabs.shown;
    expect(notification).toMatchObject({ title: 'Payment', body: 'Pay Alice 30.', isOpen: true });
    await tabs.feed('opened', { id: 'q2', description: 'Pay Bob 40.' });
    await waitFor(() => expect(tabs.shown).toHaveLength(2));
    notification?.onclick?.();
    expect(tabs.onOpen.mock.calls).toEqual([[expect.objectContaining({ id: 'q1' })]]);
    await tabs.feed('settled', { id: 'q2', state: 'denied' });
    await waitFor(() => expect(tabs.shown[1]?.isOpen).toBe(false));
    expect(tabs.shown).toHaveLength(2);
  });

  it.each<[string, Opening, object, readonly ('On' | 'Off')[]]>([
    ['while a tab is visible', { visible: true }, {}, ['On']],
    ['about a question of somebody else', {}, { mayAnswer: false }, ['On']],
    ['after they were turned off', {}, {}, ['On', 'Off']],
    ['that the browser blocks', { permission: 'denied' }, {}, ['On']],
  ])('do not come %s', async (_when, opening, changes, presses) => {
    const tabs = openTabs(2, opening);
    for (const name of presses) await tabs.press(name);
    await tabs.feed('opened', changes);
    // Everything that a notification waits for has been done.
    await act(untilIdle);
    expect(tabs.shown).toEqual([]);
  });

  it.each([
    ['the chat, for the person who asked', 'ada', '/chats/chat'],
    ['the page of the question, for a person who can answer only in the inbox', 'ben', '/inbox/q1'],
  ])('of the app lead to %s', async (_place, asker, path) => {
    vi.stubGlobal('CSS', { escape: (text: string) => text });
    const push = vi.fn();
    const router = { push } as Partial<AppRouterInstance> as AppRouterInstance;
    const tab = openTabs(1, {
      page: (
        <AppRouterContext.Provider value={router}>
          <IdentityProvider>
            <NotificationSwitch />
          </IdentityProvider>
        </AppRouterContext.Provider>
      ),
    });
    await act(async () => void fireEvent.click(await screen.findByText('Notify me of new requests')));
    await tab.feed('opened', { askedBy: { id: asker, name: 'Somebody' } });
    await waitFor(() => expect(tab.shown).toHaveLength(1));
    tab.shown[0]?.onclick?.();
    expect(push.mock.calls).toEqual([[path]]);
  });

  it('are not offered by a browser without locks, as outside of HTTPS', () => {
    const tab = openTabs(0);
    Reflect.deleteProperty(navigator, 'locks');
    function Page() {
      return <p>{useApprovalNotifications(() => {}).state}</p>;
    }
    render(<Page />);
    expect(screen.getByText('unsupported')).toBeTruthy();
    expect(tab.shown).toEqual([]);
  });
});
