import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkLog } from '../support/check-log.ts';
import { checkPrompt } from '../support/check-prompt.ts';
import { messageOf, plain } from '../support/client-message.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { chatModel, type Fate, type Plan } from './support/chat-model.ts';
import { countsOf } from './support/counts.ts';
import { crashingChat, type Fall } from './support/crashing-chat.ts';

/** More runs on demand, such as over night: `FAULTS_RUNS=100000 npx vitest run --project faults properties`. */
const runs = process.env.FAULTS_RUNS === undefined ? [100, 500] : [Number(process.env.FAULTS_RUNS)];
const count = countsOf('Properties', 'chats', 'deeds', 'deaths', 'calls settled', 'outcomes unknown');

/** What a person does. `leaveAfter`: the page is closed after so many chunks. */
type Deed =
  | { readonly type: 'say'; readonly plan: Plan; readonly leaveAfter?: number }
  | { readonly type: 'answer'; readonly approved: boolean; readonly leaveAfter?: number }
  | { readonly type: 'answer again'; readonly approved: boolean; readonly of: number }
  | { readonly type: 'stop' }
  | { readonly type: 'resume'; readonly leaveAfter?: number };

const leaveAfter = fc.option(fc.nat(6), { nil: undefined });
const approved = fc.boolean();
const plan = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('say' as const), plan, leaveAfter }) },
  { weight: 8, arbitrary: fc.record({ type: fc.constant('answer' as const), approved, leaveAfter }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('answer again' as const), approved, of: fc.nat(9) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('stop' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('resume' as const), leaveAfter }) },
);
const fall: fc.Arbitrary<Fall> = fc.record({
  append: fc.nat(12),
  death: fc.constantFrom('before' as const, 'after' as const),
});

it.each(rowsOfThisRun(runs, (_, index) => index === 0))(
  'A chat matches its model, whatever people do and whenever readers leave and instances die: %i runs',
  async (numRuns) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(deed, { minLength: 1, maxLength: 14 }),
        fc.array(fall, { maxLength: 4 }),
        async (deeds, falls) => {
          const chat = crashingChat(falls);
          const model = chatModel();
          const asked: string[] = [];
          await perform({ type: 'say', plan: [2, 1] });
          for (const next of deeds) await perform(next);
          count('chats');
          count('deaths', chat.deaths());
          count('calls settled', [...model.fates.values()].filter((fate) => fate !== 'open').length);
          count('outcomes unknown', chat.interrupted.size);
          await chat.close();

          async function perform(deed: Deed): Promise<void> {
            count('deeds');
            await act(deed);
            await expectAlike();
          }

          async function act(deed: Deed): Promise<void> {
            const open = (await chat.view().catch(() => undefined))?.open;
            switch (deed.type) {
              case 'say': {
                const id = `m${model.said().length}`;
                model.say(id, deed.plan);
                return chat.say(id, deed.plan, deed.leaveAfter);
              }
              case 'answer':
                if (open === undefined) return;
                asked.push(open);
                model.answer(deed.approved);
                return chat.answer(open, deed.approved, deed.leaveAfter);
              case 'answer again': {
                const old = asked[deed.of % Math.max(1, asked.length)];
                // Of an earlier message it is refused, of this one it changes nothing: the model is not told of it.
                if (old !== undefined) await chat.answer(old, deed.approved).catch(() => {});
                return;
              }
              case 'stop':
                model.stop();
                return chat.stop();
              case 'resume':
                return chat.resume(deed.leaveAfter);
              default:
                return deed satisfies never;
            }
          }

          async function expectAlike(): Promise<void> {
            const log = await chat.log();
            expect(checkLog(log)).toEqual([]);
            expect(chat.prompts.flatMap(checkPrompt)).toEqual([]);
            expect([...fatesIn(log)]).toEqual([...model.fates]);
            const unknown = log.flatMap((event) =>
              event.type === 'tool-failed' && event.error.startsWith('outcome-unknown:')
                ? event.toolCallId
                : [],
            );
            expect(new Set(unknown)).toEqual(chat.interrupted);
            expect(new Set(chat.ran).size).toBe(chat.ran.length);

            const stored = await chat.view();
            expect(stored.run.status).toBe(model.open() === undefined ? 'idle' : 'waiting');
            const said = stored.messages.flatMap(({ id, role }) => (role === 'user' ? [id] : []));
            expect(said).toEqual(model.said());
            const shown = await chat.shown();
            if (shown) expect(await messageOf(shown)).toEqual(plain(stored.messages.at(-1)));
          }
        },
      ),
      { numRuns },
    );
  },
);

/** What became of each call, as the log has it. */
function fatesIn(log: Awaited<ReturnType<ReturnType<typeof crashingChat>['log']>>): Map<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const event of log) {
    if (event.type === 'tool-requested') fates.set(event.toolCallId, 'pending');
    if (event.type === 'approval-requested') fates.set(event.toolCallId, 'open');
    if (event.type === 'approval-withdrawn') fates.set(event.toolCallId, 'withdrawn');
    if (event.type === 'approval-answered' && !event.approved) fates.set(event.toolCallId, 'denied');
    if (event.type === 'tool-completed' || event.type === 'tool-failed') fates.set(event.toolCallId, 'ran');
    if (event.type === 'tool-cancelled') fates.set(event.toolCallId, 'cancelled');
  }
  return fates;
}
