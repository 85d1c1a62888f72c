import { expect, it } from 'vitest';
import type { StoreChange } from '../../lib/log/store/index.ts';
import { batch, chat, run, text } from './store-batches.ts';
import type { UseStore } from './store-contract.ts';

/** Subscriptions: what is told, when, and to whom. */
export function wakesContract(use: UseStore): void {
  /** Collects notifications; `until(n)` waits for the n-th. */
  const collect = () => {
    const notifications: StoreChange[] = [];
    let heard = Promise.withResolvers<void>();
    const end = use().subscribe((change) => {
      notifications.push(change);
      heard.resolve();
      heard = Promise.withResolvers();
    });
    const until = async (count: number) => {
      while (notifications.length < count) await heard.promise;
      return notifications;
    };
    return { notifications, until, end };
  };

  it('announces appends, stop requests and erasures, in order and without content', async () => {
    const { until } = collect();
    await use().append(batch(chat, 0, [text()]));
    await use().runs.requestStop(chat, run());
    await use().chats.erase(chat, 'ana', 2_000);
    expect(await until(3)).toEqual([
      { chatId: chat, reason: 'append', seq: 1 },
      { chatId: chat, reason: 'stop' },
      { chatId: chat, reason: 'erase' },
    ]);
  });

  it('announces a change when it can be read, never before', async () => {
    const seen = Promise.withResolvers<number>();
    use().subscribe(({ chatId }) => {
      use()
        .events.read(chatId, 0)
        .then((events) => seen.resolve(events.length), seen.reject);
    });
    await use().append(batch(chat, 0, [text(), text()]));
    expect(await seen.promise).toBe(2);
  });

  it('lets a listener append', async () => {
    const { until } = collect();
    let appended: Promise<unknown> | undefined;
    use().subscribe(() => {
      appended ??= use().append(batch(chat, 1, [text()]));
    });
    await use().append(batch(chat, 0, [text()]));
    await until(2);
    expect(await appended).toBe('appended');
  });

  it('announces nothing of a batch that conflicts', async () => {
    const { until } = collect();
    await use().append(batch(chat, 5, [text()]));
    await use().append(batch(chat, 0, [text()]));
    expect(await until(1)).toHaveLength(1);
  });

  it('continues to notify others when a listener throws', async () => {
    use().subscribe(() => {
      throw new Error('careless');
    });
    const { until } = collect();
    expect(await use().append(batch(chat, 0, [text()]))).toBe('appended');
    expect(await until(1)).toHaveLength(1);
  });

  it('notifies each subscription until it ends, including two of the same function', async () => {
    const told: StoreChange[] = [];
    const listener = (change: StoreChange) => {
      told.push(change);
    };
    const end = use().subscribe(listener);
    use().subscribe(listener);
    const { until } = collect();
    await use().append(batch(chat, 0, [text()]));
    await until(1);
    expect(told).toHaveLength(2);
    end();
    end();
    await use().append(batch(chat, 1, [text()]));
    await until(2);
    expect(told).toHaveLength(3);
  });

  it('never notifies within the call that makes the change', async () => {
    const { notifications, until } = collect();
    const appending = use().append(batch(chat, 0, [text()]));
    expect(notifications).toEqual([]);
    await appending;
    await until(1);
  });

  it('does not notify a subscription that another listener ended or started during the same notification', async () => {
    const told: string[] = [];
    let endOfLater = () => {};
    const begin = use().subscribe(() => {
      begin();
      endOfLater();
      use().subscribe(() => {
        told.push('began');
      });
    });
    endOfLater = use().subscribe(() => {
      told.push('ended');
    });
    const { until } = collect();
    await use().append(batch(chat, 0, [text()]));
    await until(1);
    expect(told).toEqual([]);
    await use().append(batch(chat, 1, [text()]));
    await until(2);
    expect(told).toEqual(['began']);
  });
}
