import { tracingChannel } from 'node:diagnostics_channel';
import { APICallError, type Telemetry, type TelemetryOptions, type ToolSet, tool } from 'ai';
import { collect, fakeClock, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { parseApprovalId, parseToolCallId, redacted } from '../../../lib/protocol/index.ts';
import {
  ada,
  type FixtureSettings,
  flowFixture,
  questionIn,
  userMessage,
} from '../../support/flow-fixture.ts';
import { observeSdk } from '../../support/observe-sdk.ts';

const number = '4111-secret-card';
const iban = 'DE99-secret-iban';
const token = 'tok-secret-token';
const secrets = [number, iban, token];
const input = { to: 'Alice', card: { number }, accounts: [{ name: 'A', iban }] };
const shownInput = { to: 'Alice', card: { number: redacted }, accounts: [{ name: 'A', iban: redacted }] };
const charge: ScriptedStep = [{ call: 'charge', input }];
const done: ScriptedStep = [{ text: 'Done.' }];
const hidden = { input: ['card.number', 'accounts.*.iban'], output: ['token'] };

type Execute = (input: unknown) => unknown;

/** A flow with one tool that keeps card, account and token secret, and whatever it lets people see. */
function charging(
  script: ScriptedStep[] = [charge, done],
  execute: Execute = () => ({ ok: true, token }),
  settings: FixtureSettings = {},
) {
  const ran: unknown[] = [];
  const logger = { warn: vi.fn(), error: vi.fn() };
  const described: unknown[] = [];
  const tools: ToolSet = {
    charge: tool({
      inputSchema: z.object({
        to: z.string(),
        card: z.object({ number: z.string() }),
        accounts: z.array(z.object({ name: z.string(), iban: z.string() })),
      }),
      needsApproval: true,
      execute: (async (given: unknown) => {
        ran.push(given);
        return execute(given);
      }) as never,
    }),
  };
  const fixture = flowFixture(script, {
    tools,
    toolDetails: {
      charge: {
        secrets: hidden,
        describe: (shown: never) => {
          described.push(shown);
          return `Charge ${JSON.stringify(shown)}`;
        },
        summarize: (output: never) => ({ summary: `Charged: ${JSON.stringify(output)}` }),
      },
    },
    auditKey: 'an audit key for tests',
    logger,
    ...settings,
  });
  onTestFinished(() => fixture.flow.close());
  const chat = fixture.chat();
  const responses: unknown[] = [];

  return {
    ...fixture,
    ...chat,
    ran,
    logger,
    described,
    /** One message, and each question it leads to answered. */
    async run(answers: { approved: boolean; input?: unknown }[] = [{ approved: true }]) {
      let response = await chat.say('Charge Alice.');
      responses.push(response);
      for (const { approved, ...more } of answers) {
        response = await chat.answer(questionIn(response), approved, more);
        responses.push(response);
      }
      return response;
    },
    /** All that a person, a client, an auditor or an operator can get at. */
    async surfaces(): Promise<Record<string, unknown>> {
      const { items: open } = await fixture.flow.approvals.list({ principal: ada, state: 'open' });
      const changes = await fixture.store.questions.changes(0, 100);
      return {
        responses,
        replay: await chat.resume(),
        'stored chat': await chat.view(),
        'open questions': open,
        'questions as stored': changes,
        timeline: await chat.events(),
        audit: await fixture.flow.audit.read({ principal: ada, chatId: chat.id }),
        logs: [...logger.warn.mock.calls, ...logger.error.mock.calls].map(printed),
        described,
      };
    },
  };
}

/** A value with everything that a logger that prints every property would print. */
function printed(value: unknown): unknown {
  if (value instanceof Error) {
    const own = Object.fromEntries(
      Object.getOwnPropertyNames(value).map((key) => [key, Reflect.get(value, key)]),
    );
    return printed(own);
  }
  if (Array.isArray(value)) return value.map(printed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, printed(item)]));
}

async function expectKept(world: Pick<ReturnType<typeof charging>, 'surfaces'>): Promise<void> {
  for (const [surface, content] of Object.entries(await world.surfaces())) {
    const text = JSON.stringify(content);
    for (const secret of secrets) expect(text, `${surface} tells a secret`).not.toContain(secret);
  }
}

const promptOf = (world: Pick<ReturnType<typeof charging>, 'model'>, call: number) =>
  JSON.stringify(world.model.calls[call]?.prompt);

describe('a tool’s secrets', () => {
  it('are not in the card, the chat, the questions, the timeline or the audit record', async () => {
    const world = charging();
    await world.run();
    await expectKept(world);
    const { 'questions as stored': stored, responses, timeline } = await world.surfaces();
    expect(JSON.stringify(stored)).toContain(redacted);
    expect(JSON.stringify(responses)).toContain(redacted);
    expect(timeline).toContainEqual(expect.objectContaining({ type: 'tool-started', input: shownInput }));
    expect(timeline).toContainEqual(
      expect.objectContaining({ type: 'tool-completed', output: { ok: true, token: redacted } }),
    );
  });

  it('are not shown while a question is open', async () => {
    const world = charging();
    const { say, flow } = world;
    const response = await say('Charge Alice.');
    expect(response).toContainEqual(
      expect.objectContaining({ type: 'tool-input-available', input: shownInput }),
    );
    const approvalId = parseApprovalId(questionIn(response));
    expect(await flow.approvals.read({ principal: ada, approvalId })).toMatchObject({
      input: shownInput,
      description: `Charge ${JSON.stringify(shownInput)}`,
    });
    await expectKept(world);
  });

  it('are redacted for `describe` and `summarize`', async () => {
    const world = charging();
    const response = await world.run();
    expect(new Set(world.described.map((shown) => JSON.stringify(shown)))).toEqual(
      new Set([JSON.stringify(shownInput)]),
    );
    const summary = `Charged: ${JSON.stringify({ ok: true, token: redacted })}`;
    expect(response).toContainEqual(
      expect.objectContaining({ data: expect.objectContaining({ phase: 'completed', summary }) }),
    );
  });

  it('are not in preliminary results', async () => {
    const world = charging(undefined, undefined, {
      tools: {
        charge: tool({
          inputSchema: z.looseObject({}),
          needsApproval: true,
          async *execute() {
            yield { ok: false, token };
            yield { ok: true, token };
          },
        }),
      } as ToolSet,
    });
    await world.run();
    await expectKept(world);
    expect(await world.events()).toContainEqual(
      expect.objectContaining({ type: 'tool-progressed', output: { ok: false, token: redacted } }),
    );
  });

  it.each<[string, Partial<FixtureSettings>, Execute, string]>([
    [
      'fails',
      {},
      () => {
        throw new Error(`Card ${number} was refused by ${iban}.`);
      },
      `Card ${redacted} was refused by ${redacted}.`,
    ],
    [
      'may have run',
      {},
      () => {
        throw Object.assign(new Error(`Reset while charging ${number}.`), { code: 'ECONNRESET' });
      },
      `outcome-unknown: Reset while charging ${redacted}.`,
    ],
    [
      'is tried again',
      { toolDetails: { charge: { secrets: hidden, idempotent: true } } },
      () => {
        throw Object.assign(new Error(`Busy with ${number}.`), { status: 503 });
      },
      `Busy with ${redacted}.`,
    ],
  ])(
    'are removed from its error when it %s, but not for the model',
    async (_name, settings, execute, shown) => {
      const world = charging(undefined, execute, settings);
      const response = await world.run();
      expect(response).toContainEqual(
        expect.objectContaining({ type: 'tool-output-error', errorText: shown }),
      );
      expect(promptOf(world, 1)).toContain(number);
      await expectKept(world);
    },
  );

  it.each<[string, ScriptedStep]>([
    ['do not fit its schema', [{ call: 'charge', input: { ...input, to: 7 } }]],
    ['are not JSON', [{ call: 'charge', rawInput: `{"card":{"number":"${number}` }]],
    ['are a string', [{ call: 'charge', input: `card ${number}` }]],
  ])('are not in the error when arguments %s', async (_name, step) => {
    const world = charging([step, done]);
    const response = await world.run([]);
    expect(response).toContainEqual(
      expect.objectContaining({ errorText: 'The arguments do not fit the schema of charge.' }),
    );
    await expectKept(world);
    expect(promptOf(world, 1)).toContain(number);
  });

  it.each(['denied', 'user-approval'] as const)(
    'are removed from the reason of a gate that says %s',
    async (type) => {
      const world = charging(undefined, undefined, {
        toolApproval: () => ({ type, reason: `Card ${number} looks odd.` }),
      });
      const response = await world.run(type === 'denied' ? [] : [{ approved: false }]);
      expect(JSON.stringify([response, await world.events()])).toContain(`Card ${redacted} looks odd.`);
      await expectKept(world);
    },
  );

  it('are not redacted if the tool declares none', async () => {
    const world = charging(undefined, undefined, { toolDetails: {} });
    await world.run();
    const { timeline } = await world.surfaces();
    expect(JSON.stringify(timeline)).toContain(number);
    expect(JSON.stringify(timeline)).toContain(token);
  });
});

describe('redacted arguments', () => {
  it.each<[string, unknown, boolean]>([
    ['as they were shown', shownInput, true],
    ['unchanged, by a client that knows them', input, true],
    ['with another recipient', { ...shownInput, to: 'Eve' }, false],
    ['with another account name', { ...shownInput, accounts: [{ name: 'Eve', iban: redacted }] }, false],
    ['without the card', { to: 'Alice', accounts: shownInput.accounts }, false],
  ])('may be submitted back %s [H10]', async (_name, shown, accepted) => {
    const world = charging();
    const id = questionIn(await world.say('Charge Alice.'));
    const answering = world.answer(id, true, { shownInput: shown });
    if (accepted) await answering;
    else await expect(answering).rejects.toMatchObject({ code: 'input-mismatch' });
    expect(world.ran).toHaveLength(accepted ? 1 : 0);
  });

  it('run with the secrets if something beside them was edited [H10]', async () => {
    const world = charging();
    const response = await world.run([{ approved: true, input: { ...shownInput, to: 'Bob' } }]);
    expect(world.ran).toEqual([{ ...input, to: 'Bob' }]);
    expect(response).toContainEqual(
      expect.objectContaining({
        toolMetadata: { countersign: expect.objectContaining({ input: { ...shownInput, to: 'Bob' } }) },
      }),
    );
    await expectKept(world);
  });

  it('run with a secret that was entered again, which is kept as well [H10]', async () => {
    const world = charging();
    await world.run([{ approved: true, input: { ...shownInput, card: { number: token } } }]);
    expect(world.ran).toEqual([{ ...input, card: { number: token } }]);
    await expectKept(world);
  });

  it('are not quoted by a refusal of edited arguments, which says where alone [H10]', async () => {
    const cards = z.object({ to: z.string(), card: z.object({ number: z.string() }) });
    const tools = {
      charge: tool({
        inputSchema: cards.superRefine(({ to, card }, context) => {
          if (to !== 'Bob') return;
          context.addIssue({ code: 'custom', path: ['card', 'number'], message: `Not ${card.number}` });
        }),
        needsApproval: true,
        execute: async () => 'ok',
      }),
    };
    const world = charging([charge, done], undefined, { tools });
    const id = questionIn(await world.say('Charge Alice.'));
    const refused = world.answer(id, true, { input: { ...shownInput, to: 'Bob' } });
    await expect(refused).rejects.toMatchObject({ fields: { fieldErrors: [{ path: '/card/number' }] } });
    await expect(refused).rejects.not.toMatchObject({
      fields: { fieldErrors: [{ message: expect.anything() }] },
    });
  });

  it.each<[string, unknown]>([
    ['in another field', { ...shownInput, to: redacted }],
    [
      'in a list that became longer',
      { ...shownInput, accounts: [...shownInput.accounts, ...shownInput.accounts] },
    ],
    ['under another name', { ...shownInput, accounts: [{ name: 'Eve', iban: redacted }] }],
  ])('never run with the placeholder %s [H10]', async (_name, edited) => {
    const world = charging();
    const id = questionIn(await world.say('Charge Alice.'));
    const refused = world.answer(id, true, { input: edited });
    await expect(refused).rejects.toMatchObject({ code: 'invalid-request', fields: { approvalId: id } });
    expect(world.ran).toEqual([]);
    expect((await world.view()).open).toBe(id);
    await world.answer(id, true);
    expect(world.ran).toEqual([input]);
  });
});

describe('logs of a flow with secrets', () => {
  const requestBodyValues = { messages: [{ content: JSON.stringify(input) }] };
  it.each<[string, ScriptedStep, object]>([
    [
      'the provider’s refusal',
      [
        {
          reject: new APICallError({
            message: 'Bad request',
            url: 'https://model.test/v1',
            requestBodyValues,
            responseBody: `You sent ${number}`,
            responseHeaders: { 'x-echo': number },
            statusCode: 400,
            isRetryable: false,
          }),
        },
      ],
      { name: 'AI_APICallError', message: 'Bad request', status: 400 },
    ],
    [
      'an error that quotes what it could not read',
      [
        {
          error: Object.assign(new Error(`JSON parsing failed: Text: ${number}`), {
            name: 'AI_JSONParseError',
          }),
        },
      ],
      { name: 'AI_JSONParseError' },
    ],
    [
      'an error that quotes its cause',
      [
        {
          error: new Error(`Step failed: Value: ${number}`, {
            cause: Object.assign(new Error(`Value: ${number}`), { name: 'AI_TypeValidationError' }),
          }),
        },
      ],
      { name: 'Error', cause: { name: 'AI_TypeValidationError', at: expect.any(String) } },
    ],
    ['a thrown value that is not an Error', [{ error: { quoted: number } }], { name: 'object' }],
  ])('contain only the name, status and ids of %s', async (_name, failing, facts) => {
    const world = charging([charge, failing]);
    await world.run();
    expect(world.logger.error).toHaveBeenCalledWith('A run failed.', {
      chatId: 'chat',
      runId: expect.stringMatching(/^run_/),
      error: expect.objectContaining(facts),
    });
    await expectKept(world);
  });
});

describe('telemetry', () => {
  /** An integration that keeps every event it gets, and everything on the SDK's diagnostics channel. */
  function recording() {
    const recorded: unknown[] = [];
    const keep = (event: unknown) => {
      recorded.push(structuredClone(JSON.parse(JSON.stringify(event))));
    };
    const integration: Telemetry = new Proxy(
      {},
      { get: (_target, key) => (String(key).startsWith('on') ? keep : undefined) },
    );
    const channel = tracingChannel('ai:telemetry');
    const subscribers = { start: keep, end: keep, asyncStart: keep, asyncEnd: keep, error: keep };
    channel.subscribe(subscribers);
    onTestFinished(() => channel.unsubscribe(subscribers));
    return { recorded, integration };
  }

  it.each<[string, (integration: Telemetry) => TelemetryOptions]>([
    ['as it is', (integrations) => ({ integrations })],
    ['that asks for all', (integrations) => ({ integrations, recordInputs: true, recordOutputs: true })],
  ])('%s records no secret of a tool', async (_name, optionsFor) => {
    const { recorded, integration } = recording();
    const world = charging(undefined, undefined, { plugins: [observeSdk(optionsFor(integration))] });
    await world.run();
    expect(recorded.length).toBeGreaterThan(4);
    const text = JSON.stringify(recorded);
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).not.toContain('an audit key for tests');
  });

  it('records what it is configured to if no tool has secrets', async () => {
    const { recorded, integration } = recording();
    const world = charging(undefined, undefined, {
      plugins: [observeSdk({ integrations: integration })],
      toolDetails: {},
    });
    await world.run();
    expect(JSON.stringify(recorded)).toContain(number);
  });
});

describe('a tool with secrets that the client executes', () => {
  const locate = {
    locate: tool({ inputSchema: z.object({ key: z.string() }), outputSchema: z.looseObject({}) }),
  };

  it('is refused at start-up if its arguments are secret, because the client needs them', () => {
    const start = () =>
      flowFixture([], { tools: locate, toolDetails: { locate: { secrets: { input: ['key'] } } } });
    expect(start).toThrow(/locate.*client/);
  });

  it('may hide its output from everyone else', async () => {
    const world = flowFixture([[{ call: 'locate', input: { key: 'k' }, id: 'call1' }], done], {
      tools: locate,
      toolDetails: { locate: { secrets: { output: ['lat'] } } },
    });
    const { say, ask, view, events } = world.chat();
    await say('Where am I?');
    const outputs = [{ toolCallId: parseToolCallId('call1'), output: { lat: token } }];
    const stream = await ask({ outputs });
    await collect(stream.events);
    expect(JSON.stringify([await view(), await events()])).not.toContain(token);
    expect(JSON.stringify(world.model.calls[1]?.prompt)).toContain(token);
    await world.flow.close();
  });
});

describe('an instance that takes a run over', () => {
  it('redacts the secrets that were declared when the question was asked, whatever its settings are now', async () => {
    const world = charging([charge]);
    const { store } = world;
    const id = questionIn(await world.say('Charge Alice.'));
    const next = charging([done], undefined, { store, toolDetails: {}, clock: fakeClock(Date.now()) });
    // Other settings are another question: the approval of the old one asks again, and what was secret stays so.
    await next.answer(questionIn(await next.answer(id, true)), true);
    expect(next.ran).toEqual([input]);
    const { responses, 'stored chat': stored, timeline, audit } = await next.surfaces();
    for (const secret of secrets) {
      expect(JSON.stringify([responses, stored, timeline, audit])).not.toContain(secret);
    }
  });

  it('passes a message on without the secrets of earlier ones', async () => {
    const world = charging([charge, done, done]);
    await world.run();
    const stream = await world.ask({ message: userMessage('later', 'Thanks.') });
    expect(JSON.stringify(await world.read(stream))).not.toContain(number);
    await expectKept(world);
  });
});
