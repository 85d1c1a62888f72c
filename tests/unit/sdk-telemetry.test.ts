import { tracingChannel } from 'node:diagnostics_channel';
import { registerTelemetry, type TelemetryOptions } from 'ai';
import { telemetry } from 'countersign/plugins/telemetry';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { sdkTelemetry } from '../../lib/plugins/telemetry/sdk-telemetry.ts';
import { flowFixture } from '../support/flow-fixture.ts';

const integration = { onStart: () => {} };

function subscribe(): void {
  const channel = tracingChannel('ai:telemetry');
  const subscribers = { start() {}, end() {}, asyncStart() {}, asyncEnd() {}, error() {} };
  channel.subscribe(subscribers);
  onTestFinished(() => channel.unsubscribe(subscribers));
}

beforeEach(() => {
  vi.stubGlobal('AI_SDK_TELEMETRY_INTEGRATIONS', undefined);
  return () => vi.unstubAllGlobals();
});

it.each<TelemetryOptions>([{}, { functionId: 'pay' }])(
  'a step prepares no telemetry of the SDK if nothing receives it: %o',
  (given) => {
    expect(sdkTelemetry(given)).toEqual({ isEnabled: false });
  },
);

it.each<[receiver: string, begin: () => void, given: TelemetryOptions]>([
  ['a registered integration', () => registerTelemetry(integration), { functionId: 'pay' }],
  ['a registered integration, without options', () => registerTelemetry(integration), {}],
  ['an integration in the settings', () => {}, { integrations: integration }],
  ['a subscriber of the channel', subscribe, { functionId: 'pay' }],
])('a step keeps its telemetry for %s', (_receiver, begin, given) => {
  begin();
  expect(sdkTelemetry(given)).toBe(given);
});

it('an integration that is registered while a flow runs receives its next step', async () => {
  const started: string[] = [];
  const world = flowFixture([[{ text: 'One.' }], [{ text: 'Two.' }]], { plugins: [telemetry()] });
  const { say } = world.chat();
  await say('Hi.');
  registerTelemetry({ onStart: ({ operationId }) => void started.push(operationId) });
  await say('Again.');
  expect(started).toEqual(['ai.streamText']);
});
