import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OpenTelemetry } from '@ai-sdk/otel';
import { createNoopMeter, metrics } from '@opentelemetry/api';
import { telemetry } from 'countersign/plugins/telemetry';
import { expect, it, onTestFinished } from 'vitest';
import { flowFixture, questionIn } from '../support/flow-fixture.ts';
import { recordTelemetry } from '../support/record-telemetry.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/trace-and-measure.md'), 'utf8');

/** A section of the guide. */
const section = (heading: string) => guide.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';

const quiet = { warn: () => {}, error: () => {} };

const steps = [[{ call: 'pay', id: 'pay-1', input: { to: 'alice', amount: 5 } }], [{ text: 'Done.' }]];

it('the guide lists exactly the metrics that a flow makes', async () => {
  const made: string[] = [];
  const meter = new Proxy(createNoopMeter(), {
    get: (noop, key) =>
      String(key).startsWith('create')
        ? (name: string) => {
            made.push(name);
            return noop.createHistogram(name);
          }
        : undefined,
  });
  metrics.setGlobalMeterProvider({ getMeter: () => meter });
  onTestFinished(() => metrics.disable());
  await flowFixture(steps, { plugins: [telemetry()], logger: quiet })
    .chat()
    .say('Pay.');
  const listed = section('Metrics').matchAll(/^\| `([a-z_.]+)`/gm);
  expect([...listed].map(([, name]) => name)).toEqual(made);
});

it('the guide lists exactly the names of spans and their attributes', async () => {
  const { spans } = recordTelemetry();
  const { say, answer } = flowFixture(steps, {
    plugins: [telemetry({ integrations: [new OpenTelemetry()] })],
  });
  await answer(questionIn(await say('Pay.')), true);
  const broken = flowFixture([[{ error: new Error('Broken.') }]], {
    maxRetries: 0,
    plugins: [telemetry()],
    logger: quiet,
  });
  await broken.chat('broken').say('Hi.');
  const ours = spans().filter(({ instrumentationScope }) => instrumentationScope.name === 'countersign');
  const names = ours.flatMap(({ name, attributes }) => [
    name.replace(/ pay$/, ' NAME'),
    ...Object.keys(attributes),
  ]);
  const listed = section('Spans').matchAll(/`((?:countersign|gen_ai|error)[.][a-z_.]+|execute_tool NAME)`/g);
  expect(new Set(names)).toEqual(new Set([...listed].map(([, name]) => name)));
});
