import { tracingChannel } from 'node:diagnostics_channel';
import { registerTelemetry } from 'ai';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { stepTelemetry } from '../../lib/run/telemetry/step-telemetry.ts';
import type { FlowSettings } from '../../lib/settings/flow-settings.ts';
import { flowFixture } from '../support/flow-fixture.ts';

type Given = FlowSettings['telemetry'];

const integration = { onStart: () => {} };

/** Only the settings that matter here. */
const telemetryOf = (telemetry: Given) => stepTelemetry({ telemetry } as FlowSettings);

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

it.each<Given>([undefined, { functionId: 'pay' }])(
  'a step prepares no telemetry of the SDK if nothing receives it: %o',
  (given) => {
    expect(telemetryOf(given)).toEqual({ isEnabled: false });
  },
);

it.each<[receiver: string, begin: () => void, given: Given]>([
  ['a registered integration', () => registerTelemetry(integration), { functionId: 'pay' }],
  ['a registered integration, without a setting', () => registerTelemetry(integration), undefined],
  ['an integration in the settings', () => {}, { integrations: integration }],
  ['a subscriber of the channel', subscribe, { functionId: 'pay' }],
])('a step keeps its telemetry for %s', (_receiver, begin, given) => {
  begin();
  expect(telemetryOf(given)).toBe(given);
});

it('an integration that is registered while a flow runs receives its next step', async () => {
  const started: string[] = [];
  const world = flowFixture([[{ text: 'One.' }], [{ text: 'Two.' }]]);
  const { say } = world.chat();
  await say('Hi.');
  registerTelemetry({ onStart: ({ operationId }) => void started.push(operationId) });
  await say('Again.');
  expect(started).toEqual(['ai.streamText']);
});
