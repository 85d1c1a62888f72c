import { inspect } from 'node:util';
import { APICallError, type Telemetry, type ToolSet, tool } from 'ai';
import type { FlowSettings } from 'countersign';
import type { FlowStore } from 'countersign/store';
import { sqliteStore } from 'countersign/store';
import type { ScriptedStep } from 'countersign/testing';
import { expect, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { restoreSecrets } from '../../lib/commands/answer/edit/restore-secrets.ts';
import { type JsonValue, redact, redacted } from '../../lib/protocol/index.ts';
import { adr } from '../support/adr.ts';
import { ada, type FixtureSettings, flowFixture, questionIn } from '../support/flow-fixture.ts';
import { observeSdk } from '../support/observe-sdk.ts';
import { redactedLog } from './rejected/redacted-log.ts';
import { putBackByPath, redactWhereItLeads } from './rejected/secrets-by-path.ts';

const { clause } = adr('0011-secrets.md');

const number = '4111-secret-card';
const token = 'tok-secret-token';
const paths = ['card.number'];
const input = { card: { number }, amount: 30 };
const secrets = { input: paths, output: ['token'] };
const charge: ScriptedStep = [{ call: 'charge', input }];
const done: ScriptedStep = [{ text: 'Done.' }];

/** A flow with one tool that keeps a card number and a token secret. */
function charging(script: ScriptedStep[], settings: FixtureSettings = {}) {
  const ran: unknown[] = [];
  const logger = { warn: vi.fn(), error: vi.fn() };
  const tools: ToolSet = {
    charge: tool({
      inputSchema: z.object({ card: z.object({ number: z.string() }), amount: z.number() }),
      needsApproval: true,
      execute: async (given) => {
        ran.push(given);
        return { ok: true, token };
      },
    }),
  };
  const toolDetails = { charge: { secrets } };
  const auditKey = 'an audit key for tests';
  const fixture = flowFixture(script, { tools, toolDetails, auditKey, logger, ...settings });
  onTestFinished(() => fixture.flow.close());
  const chat = fixture.chat();
  const shown = async () =>
    JSON.stringify([
      await chat.view(),
      await chat.resume(),
      await chat.events(),
      await fixture.store.questions.changes(0, 9),
      await fixture.flow.audit.read({ principal: ada, chatId: chat.id }),
    ]);
  return { ...fixture, ...chat, ran, logger, shown };
}

const promptOf = ({ model }: ReturnType<typeof charging>, call: number) =>
  JSON.stringify(model.calls[call]?.prompt);

clause('0011.1', async () => {
  const world = charging([charge, done]);
  const question = await world.say('Charge.');
  const response = await world.answer(questionIn(question), true);
  expect(world.ran).toEqual([input]);
  expect(promptOf(world, 1)).toContain(number);
  expect(promptOf(world, 1)).toContain(token);
  const shown = JSON.stringify([question, response]) + (await world.shown());
  expect(shown).not.toContain(number);
  expect(shown).not.toContain(token);
  expect(shown).toContain(redacted);
});

clause('0011.2', async () => {
  const overInstances = async (store: FlowStore, settings: Partial<FlowSettings> = {}) => {
    const question = questionIn(await charging([charge], { store, ...settings }).say('Charge.'));
    const second = charging([done], { store, ...settings });
    await second.answer(question, true);
    expect(await second.shown()).not.toContain(number);
    return second.ran;
  };
  expect(await overInstances(sqliteStore({ path: ':memory:' }))).toEqual([input]);
  // With an audit key such a log would run nothing, because its seals do not match its events.
  const rejected = redactedLog(sqliteStore({ path: ':memory:' }), paths);
  expect(await overInstances(rejected, { auditKey: undefined })).toEqual([
    { card: { number: redacted }, amount: 30 },
  ]);
});

clause('0011.3', async () => {
  const world = charging([charge, done]);
  const question = questionIn(await world.say('Charge.'));
  await world.answer(question, true, { input: { card: { number: redacted }, amount: 5 } });
  expect(world.ran).toEqual([{ card: { number }, amount: 5 }]);

  const ann = { name: 'Ann', iban: 'DE-ann' };
  const bob = { name: 'Bob', iban: 'DE-bob' };
  const withoutAnn = [{ name: 'Bob', iban: redacted }];
  expect(restoreSecrets(withoutAnn, [ann, bob], ['*.iban'])).toBeUndefined();
  expect(putBackByPath(withoutAnn, [ann, bob])).toEqual([{ name: 'Bob', iban: ann.iban }]);
});

clause('0011.4', async () => {
  const world = charging([charge, done]);
  const question = questionIn(await world.say('Charge.'));
  const moved = [
    { card: { number: `${redacted} ` }, amount: 30 },
    { card: { number, name: redacted }, amount: 30 },
    { card: { number }, amount: 30, note: [redacted] },
  ];
  for (const edited of moved) {
    const answering = world.answer(question, true, { input: edited });
    await expect(answering).rejects.toMatchObject({ code: 'invalid-request' });
  }
  expect(world.ran).toEqual([]);
});

clause('0011.5', async () => {
  const unparsed = `{"card":{"number":"${number}`;
  const world = charging([[{ call: 'charge', rawInput: unparsed }], done]);
  const response = await world.say('Charge.');
  expect(JSON.stringify(response) + (await world.shown())).not.toContain(number);
  expect(promptOf(world, 1)).toContain(number);

  const card: JsonValue = { card: JSON.stringify({ number }) };
  expect(JSON.stringify([redact(card, paths), redact(unparsed, paths)])).not.toContain(number);
  const rejected = [redactWhereItLeads(card, 'card.number'), redactWhereItLeads(unparsed, 'card.number')];
  for (const shown of rejected) expect(JSON.stringify(shown)).toContain(number);
});

clause('0011.6', async () => {
  const refusal = new APICallError({
    message: 'Bad request',
    url: 'https://model.test/v1',
    requestBodyValues: { prompt: number },
    statusCode: 400,
  });
  const world = charging([charge, [{ reject: refusal }]]);
  await world.answer(questionIn(await world.say('Charge.')), true);
  const { error } = world.logger;
  expect(error).toHaveBeenCalledTimes(1);
  expect(inspect(error.mock.calls, { depth: 9 })).toMatch(/AI_APICallError.*Bad request.*400/s);
  expect(inspect(error.mock.calls, { depth: 9 })).not.toContain(number);
  expect(inspect({ error: refusal }, { depth: 9 })).toContain(number);
});

clause('0011.7', async () => {
  const record = async (settings: Partial<FlowSettings>) => {
    const events: string[] = [];
    const keep = (event: unknown) => {
      events.push(JSON.stringify(event));
    };
    const integrations: Telemetry = {
      onStart: keep,
      onLanguageModelCallStart: keep,
      onStepEnd: keep,
      onEnd: keep,
    };
    const plugins = [observeSdk({ integrations, recordInputs: true, recordOutputs: true })];
    const world = charging([charge, done], { plugins, ...settings });
    await world.answer(questionIn(await world.say('Charge.')), true);
    expect(events.length).toBeGreaterThan(4);
    return events.join('\n');
  };
  expect(await record({})).not.toContain(number);
  expect(await record({ toolDetails: {} })).toContain(number);
});
