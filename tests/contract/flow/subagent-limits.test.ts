import type { Telemetry } from 'ai';
import type { FlowSettings } from 'countersign';
import { fakeClock, type ScriptedStep, scriptedModel } from 'countersign/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { observeSdk } from '../../support/observe-sdk.ts';
import { research, researchTool, subagentFixture } from '../../support/subagent-fixture.ts';
import { untilIdle } from '../../support/until-idle.ts';

const both = [research('r1', 'one'), research('r2', 'two')];
const done = [{ text: 'Done.' }];
const logger = { warn: () => {}, error: () => {} };

/** Replaces the timers of the SDK for a test, and returns how to let time pass for them. */
function fakeTimers(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => void vi.advanceTimersByTime(ms);
}

describe('`timeout` and subagents [ADR 0029, ADR 0035]', () => {
  it.each<[name: string, timeout: FlowSettings['timeout'], begun: ScriptedStep]>([
    ['firstChunkMs', { firstChunkMs: 20 }, []],
    ['chunkMs', { chunkMs: 20 }, [{ text: 'Hm. ' }]],
  ])(
    '%s fails the call of a subagent whose model pauses for longer, and no other',
    async (_name, timeout, begun) => {
      const pass = fakeTimers();
      // Once the other call has ended, time passes, and this one never goes on.
      const wait = async () => {
        await untilIdle();
        pass(20);
        return new Promise<void>(() => {});
      };
      const model = scriptedModel(
        ({ prompt }): ScriptedStep =>
          JSON.stringify(prompt).includes('Task: one') ? [...begun, { wait }] : [{ text: 'Two.' }],
      );
      const fixture = subagentFixture([both, done], [], { agent: { model }, timeout, logger });
      await fixture.chat().say('Go.');
      expect(fixture.model.calls[1]?.prompt.at(-1)?.content).toMatchObject([
        { toolCallId: 'r1', output: { type: 'error-text', value: 'The subagent failed.' } },
        { toolCallId: 'r2', output: { value: 'Two.' } },
      ]);
    },
  );

  it('the other limits do not measure the steps of a subagent by themselves', async () => {
    const clock = fakeClock();
    const pass = fakeTimers();
    const signals = vi.spyOn(AbortSignal, 'timeout');
    onTestFinished(() => signals.mockRestore());
    const slow = { wait: async () => pass(60) };
    const timeout = { totalMs: 31, stepMs: 31, toolMs: 31 };
    const fixture = subagentFixture([[research('r')], done], [[slow, { text: 'Found.' }]], {
      timeout,
      clock,
    });
    await fixture.chat().say('Go.');
    expect(fixture.model.calls[1]?.prompt.at(-1)?.content).toMatchObject([{ output: { value: 'Found.' } }]);
    // The SDK would measure `totalMs` with such a signal.
    expect(signals).not.toHaveBeenCalledWith(31);
  });
});

describe('what the call of a subagent cannot honour is refused [ADR 0029, ADR 0035]', () => {
  it.each<[path: string, settings: Partial<FlowSettings>]>([
    ['toolDetails.research.timeoutMs', { toolDetails: { research: { timeoutMs: 1_000 } } }],
    ['toolDetails.research.lookup', { toolDetails: { research: { lookup: () => undefined } } }],
    ['toolDetails.research.idempotent', { toolDetails: { research: { idempotent: true } } }],
    ['timeout.tools.researchMs', { timeout: { tools: { researchMs: 1_000 } } }],
  ])('%s', (path, settings) => {
    const message = expect.stringMatching(/: `.*` .*subagent/);
    expect(() => subagentFixture([], [], settings)).toThrow(
      expect.objectContaining({ code: 'invalid-settings', message, fields: { path } }),
    );
  });

  it('in the settings of a subagent, too', () => {
    const toolDetails = { research: { timeoutMs: 1_000 } };
    const { tools } = researchTool([]);
    expect(() => researchTool([], { tools, toolDetails })).toThrow(
      expect.objectContaining({ fields: { path: 'toolDetails.research.timeoutMs' } }),
    );
  });

  it('other details of a subagent, and limits of its tools, are accepted', () => {
    expect(() =>
      subagentFixture([], [], {
        timeout: { toolMs: 1_000 },
        toolDetails: { research: { title: 'Research', deadlineMs: 1_000 } },
        agent: { toolDetails: { pay: { timeoutMs: 1_000, idempotent: true } } },
      }),
    ).not.toThrow();
  });
});

describe('telemetry of a turn without the subagents of its flow [ADR 0011, ADR 0035]', () => {
  it.each([
    ['secrets', { input: ['to'] }, false],
    ['no secrets', undefined, true],
  ])('a subagent that has %s and that `prepareCall` leaves out', async (_what, secrets, isRecorded) => {
    const recorded: string[] = [];
    const keep = (event: unknown) => recorded.push(JSON.stringify(event));
    const get = (_target: object, key: string | symbol) => (String(key).startsWith('on') ? keep : undefined);
    const integrations: Telemetry = new Proxy({}, { get });
    const fixture = subagentFixture([done], [], {
      agent: { toolDetails: { pay: { secrets } } },
      plugins: [observeSdk({ integrations, recordInputs: true })],
      prepareCall: ({ tools: _tools, ...rest }) => rest as never,
    });
    await fixture.chat().say('The number is 4711.');
    expect(recorded.length).toBeGreaterThan(1);
    expect(recorded.join().includes('4711')).toBe(isRecorded);
  });
});
