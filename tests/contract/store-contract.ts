import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { parseSessionId, type SessionStore } from '../../lib/protocol/index.ts';
import { batch, chat, run, started, text } from './store-batches.ts';
import { callsContract } from './store-contract-calls.ts';
import { chatsContract } from './store-contract-chats.ts';
import { cursorsContract } from './store-contract-cursors.ts';
import { erasuresContract } from './store-contract-erasures.ts';
import { instancesContract } from './store-contract-instances.ts';
import { leasesContract } from './store-contract-leases.ts';
import { logContract } from './store-contract-log.ts';
import { wakesContract } from './store-contract-notifications.ts';
import { principalsContract } from './store-contract-principals.ts';
import { questionsContract } from './store-contract-questions.ts';
import { recordsContract, sharedRecordsContract } from './store-contract-records.ts';
import { resultsContract } from './store-contract-results.ts';
import { sessionsContract } from './store-contract-sessions.ts';
import { stopsContract } from './store-contract-stops.ts';
import { subscriptionsContract } from './store-contract-subscriptions.ts';
import { togetherContract } from './store-contract-together.ts';

/** One store on data of its own, empty at first. */
export type OpenedStore = {
  readonly store: FlowStore & { readonly sessions: SessionStore };
  /** Closes the store and opens another on the same data. */
  reopen(): Promise<FlowStore & { readonly sessions: SessionStore }>;
  /** A second store on the same data, beside the first: another process, as far as the first can tell. */
  peer(): Promise<FlowStore & { readonly sessions: SessionStore }>;
  /** Closes everything that was opened, and removes the data. */
  close(): Promise<void>;
};

/** What an adapter does not do, by its nature. */
export type StoreGap = 'durability' | 'sharing';

/** How a part of the suite gets at the store of the running test. */
export type UseStore = () => FlowStore & { readonly sessions: SessionStore };

/**
 * Everything `FlowStore` and `SessionStore` promise, tried on one adapter. A declared gap is tried as well: once an adapter has
 * learned what it could not do, its declaration fails.
 */
export function storeContract(
  name: string,
  open: () => Promise<OpenedStore>,
  gaps: readonly StoreGap[] = [],
): void {
  describe(name, () => {
    let opened: OpenedStore;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    const use: UseStore = () => opened.store;
    describe('the log', () => logContract(use));
    describe('concurrent appends', () => togetherContract(use));
    describe('leases and stop requests', () => leasesContract(use));
    describe('an acknowledged stop request', () => stopsContract(use));
    describe('marks of calls by what they do', () => callsContract(use));
    describe('cursors', () => cursorsContract(use));
    describe('live instances', () => instancesContract(use));
    describe('records of erased chats', () => erasuresContract(use));
    describe('records of plugins', () => recordsContract(use));
    describe('texts of large results', () => resultsContract(use));
    describe('chats', () => chatsContract(use));
    describe('questions', () => questionsContract(use));
    describe('principals whose id has changed', () => principalsContract(use));
    describe('sessions', () => sessionsContract(use));
    describe('subscriptions', () => subscriptionsContract(use));
    describe('notifications', () => wakesContract(use));
    describe('durability', () => durabilityContract(() => opened, gaps.includes('durability')));
    describe('sharing', () => sharingContract(() => opened, gaps.includes('sharing')));
    describe('closing', () => closingContract(use));
  });
}

function durabilityContract(use: () => OpenedStore, gap: boolean): void {
  if (gap) {
    it('loses everything when it closes (a declared gap)', async () => {
      await use().store.append(batch(chat, 0, [text()]));
      expect(await (await use().reopen()).chats.head(chat)).toBeUndefined();
    });
    return;
  }
  it('has everything again after it was closed and opened', async () => {
    const { events, head } = batch(chat, 0, [text('one'), text('two')]);
    await use().store.append(batch(chat, 0, [text('one'), text('two')]));
    const store = await use().reopen();
    expect(await store.events.read(chat, 0)).toEqual(events);
    expect(await store.chats.head(chat)).toEqual(head);
    expect(await store.append(batch(chat, 2, [text('three')]))).toBe('appended');
  });

  it('has the same key for cursors again', async () => {
    const key = await use().store.cursorKey();
    expect(await (await use().reopen()).cursorKey()).toEqual(key);
  });
}

function sharingContract(use: () => OpenedStore, gap: boolean): void {
  if (gap) {
    it('shares nothing with another store (a declared gap)', async () => {
      await use().store.append(batch(chat, 0, [text()]));
      expect(await (await use().peer()).chats.head(chat)).toBeUndefined();
    });
    return;
  }
  it('lets one of two instances win each append, and both see the same log', async () => {
    const stores = [use().store, await use().peer()];
    for (let after = 0; after < 5; after += 1) {
      const outcomes = await Promise.all(stores.map((store) => store.append(batch(chat, after, [text()]))));
      expect(outcomes.toSorted()).toEqual(['appended', 'conflict']);
    }
    const [mine, theirs] = await Promise.all(stores.map((store) => store.events.read(chat, 0)));
    expect(mine).toHaveLength(5);
    expect(theirs).toEqual(mine);
  });

  it('has the same key for cursors on every instance', async () => {
    const [mine, theirs] = await Promise.all(
      [use().store, await use().peer()].map((store) => store.cursorKey()),
    );
    expect(theirs).toEqual(mine);
  });

  sharedRecordsContract(use);

  it('applies a stop request that another instance acknowledged', async () => {
    const [here, there] = [use().store, await use().peer()];
    await here.append(batch(chat, 0, [text()]));
    await there.runs.requestStop(chat, run());
    expect(await here.append(batch(chat, 1, [started('call-1')]))).toBe('stopped');
  });

  it('sees a session that another instance started, and that it ended', async () => {
    const [here, there] = [use().store, await use().peer()];
    await here.sessions.begin(sessionOf('a'), 0);
    expect(await there.sessions.read(parseSessionId('a'))).toEqual(sessionOf('a'));
    await there.sessions.end(parseSessionId('a'), 'ana');
    expect(await here.sessions.read(parseSessionId('a'))).toBeUndefined();
  });
}

function sessionOf(id: string) {
  const principal = { id: 'ana', name: 'Ana' };
  return { id: parseSessionId(id), principal, createdAt: 0, lastSeenAt: 0, until: 9 };
}

function closingContract(use: UseStore): void {
  it('rejects every call after it was closed, and can be closed twice', async () => {
    const store = use();
    await store.close();
    await store.close();
    await expect(store.chats.head(chat)).rejects.toThrow(/closed/);
    await expect(store.sessions.read(parseSessionId('a'))).rejects.toThrow(/closed/);
    await expect(store.append(batch(chat, 0, [text()]))).rejects.toThrow(/closed/);
    expect(() => store.subscribe(() => {})).toThrow(/closed/);
  });
}
