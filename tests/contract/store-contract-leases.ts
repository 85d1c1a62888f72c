import { beforeEach, describe, expect, it } from 'vitest';
import { parseChatId } from '../../lib/protocol/index.ts';
import { batch, chat, run, text } from './store-batches.ts';
import type { UseStore } from './store-contract.ts';

/** Who may append, who may take over, and how an owner is asked to stop. Leases here last until 2,000 ms. */
export function leasesContract(use: UseStore): void {
  describe('a chat whose run is leased by `here` until 2,000', () => {
    beforeEach(async () => {
      await use().append(batch(chat, 0, [text()], { lease: { owner: 'here', until: 2_000 } }));
    });

    it.each([
      ['its owner, while the lease lasts', 'here', 1_500, 'appended'],
      ['its owner, late, while no one took it', 'here', 3_000, 'appended'],
      ['another instance, while it lasts', 'there', 1_999, 'conflict'],
      ['another instance, once it has expired', 'there', 2_000, 'appended'],
    ] as const)('%s: an append at that time', async (_, owner, at, outcome) => {
      expect(await use().append(batch(chat, 1, [text()], { owner, at }))).toBe(outcome);
      expect(await use().events.read(chat, 1)).toHaveLength(outcome === 'appended' ? 1 : 0);
    });

    it.each([
      ['while it lasts, with events that are dated after its end', 2_500, 1_999, 'conflict'],
      ['once it has expired, with events that are dated before', 1_000, 2_000, 'appended'],
    ] as const)('another instance that states its time when it appends: %s', async (_, at, now, outcome) => {
      expect(await use().append(batch(chat, 1, [text()], { owner: 'there', at, now }))).toBe(outcome);
    });

    it.each([
      ['extends it for its owner', 'here', 1_500, true],
      ['revives it for its owner after its end', 'here', 2_500, true],
      ['refuses another instance while it lasts', 'there', 1_999, false],
      ['gives it to another instance once it has expired', 'there', 2_000, true],
    ] as const)('claiming %s', async (_, owner, now, taken) => {
      expect(await use().runs.claimLease(chat, { owner, until: 5_000 }, now)).toBe(taken);
      const holder = taken ? owner : 'here';
      const stranger = batch(chat, 1, [text()], { owner: 'stranger', at: taken ? 4_999 : 1_999 });
      expect(await use().append(stranger)).toBe('conflict');
      expect(await use().append(batch(chat, 1, [text()], { owner: holder, at: 1_999 }))).toBe('appended');
    });

    it('notifies listeners of a released lease', async () => {
      const released = Promise.withResolvers<string>();
      const end = use().subscribe(({ chatId, reason }) => {
        if (reason === 'release') released.resolve(chatId);
      });
      await use().runs.claimLease(chat, { owner: 'here', until: 0 }, 1_600);
      expect(await released.promise).toBe(chat);
      end();
      expect(await use().runs.orphans(1_600)).toEqual([chat]);
    });

    it('lets one of two rivals take an expired lease', async () => {
      const rivals = ['there', 'elsewhere'].map((owner) =>
        use().runs.claimLease(chat, { owner, until: 9_000 }, 3_000),
      );
      expect((await Promise.all(rivals)).toSorted()).toEqual([false, true]);
    });

    it('refuses an owner that was silent for too long', async () => {
      await use().runs.claimLease(chat, { owner: 'there', until: 9_000 }, 3_000);
      expect(await use().runs.claimLease(chat, { owner: 'here', until: 9_000 }, 3_001)).toBe(false);
      expect(await use().append(batch(chat, 1, [text()], { at: 3_001 }))).toBe('conflict');
    });

    it('keeps the lease through an append that does not mention it', async () => {
      await use().append(batch(chat, 1, [text()], { at: 1_100 }));
      expect(await use().append(batch(chat, 2, [text()], { owner: 'there', at: 1_200 }))).toBe('conflict');
    });

    it('renews the lease with an append that asks for it', async () => {
      await use().append(batch(chat, 1, [text()], { lease: { owner: 'here', until: 4_000 } }));
      expect(await use().append(batch(chat, 2, [text()], { owner: 'there', at: 3_999 }))).toBe('conflict');
    });

    it('releases the lease with the append that ends the run, and no heartbeat renews it', async () => {
      await use().append(batch(chat, 1, [text()], { lease: null }));
      expect(await use().runs.claimLease(chat, { owner: 'here', until: 9_000 }, 1_100)).toBe(false);
      expect(await use().append(batch(chat, 2, [text()], { owner: 'there', at: 1_100 }))).toBe('appended');
      expect(await use().runs.orphans(99_000)).toEqual([]);
    });

    it.each([
      [1_999, []],
      [2_000, [chat]],
    ])('at %i, the orphans are %j', async (now, orphans) => {
      expect(await use().runs.orphans(now)).toEqual(orphans);
    });

    it('has no orphan after another instance took it over', async () => {
      await use().runs.claimLease(chat, { owner: 'there', until: 9_000 }, 3_000);
      expect(await use().runs.orphans(3_000)).toEqual([]);
    });

    it('writes no lease of a batch that conflicts', async () => {
      await use().append(batch(chat, 7, [text()], { lease: { owner: 'here', until: 50_000 } }));
      expect(await use().runs.orphans(2_000)).toEqual([chat]);
    });
  });

  it('lists the longest expired first, and no chat without a lease', async () => {
    for (const [name, until] of [
      ['late', 3_000],
      ['early', 2_000],
      ['alive', 9_000],
    ] as const) {
      await use().append(batch(parseChatId(name), 0, [text()], { lease: { owner: 'here', until } }));
    }
    await use().append(batch(parseChatId('idle'), 0, [text()], { lease: null }));
    await use().append(batch(parseChatId('plain'), 0, [text()]));
    expect(await use().runs.orphans(5_000)).toEqual(['early', 'late']);
  });

  it('grants no lease of a chat that does not exist', async () => {
    expect(await use().runs.claimLease(chat, { owner: 'here', until: 2_000 }, 1_000)).toBe(false);
  });

  it('stores a stop request for one run, outside the log', async () => {
    await use().append(batch(chat, 0, [text()]));
    expect(await use().runs.stopRequested(chat, run(1))).toBe(false);
    await use().runs.requestStop(chat, run(1));
    await use().runs.requestStop(chat, run(1));
    expect(await use().runs.stopRequested(chat, run(1))).toBe(true);
    expect(await use().runs.stopRequested(chat, run(2))).toBe(false);
    expect(await use().events.read(chat, 0)).toHaveLength(1);
    expect(await use().append(batch(chat, 1, [text()]))).toBe('appended');
  });

  it('accepts a stop request for a chat that does not exist, and discards it', async () => {
    await use().runs.requestStop(chat, run());
    expect(await use().runs.stopRequested(chat, run())).toBe(false);
  });
}
