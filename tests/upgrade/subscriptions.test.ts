import { createApprovalFlow } from 'countersign';
import { subscriptions } from 'countersign/plugins/subscriptions';
import { scriptedModel } from 'countersign/testing';
import { expect, it, onTestFinished } from 'vitest';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { recordingSubscriber } from '../support/recording-subscriber.ts';
import { waitFor } from '../support/wait-for.ts';
import { twoVersions } from './support/two-versions.ts';

const postgres = setUpPostgres();

it('a subscriber gets the questions of an instance of the previous version, in order, and those from before [0043.1]', async () => {
  const { before, today } = await twoVersions(postgres());
  const recorder = recordingSubscriber();
  const { store } = today;
  const flow = createApprovalFlow({
    ...{ store, model: scriptedModel([]), sweepMs: 20, logger: { warn: () => {}, error: () => {} } },
    plugins: [subscriptions({ subscribers: [recorder.subscriber] })],
  });
  onTestFinished(() => flow.close());
  const about = (chatId: string) =>
    recorder.got.flatMap((event) =>
      'question' in event.data && event.data.question.chatId === chatId ? [event.type] : [],
    );
  await waitFor(() => expect(about('open')).toEqual(['question.opened']));
  await before.chat('new').say('pay {"to":"alice","amount":30}; pay {"to":"bob","amount":40}');
  await before.chat('new').answer(true);
  await before.chat('new').answer(false);
  await waitFor(() => {
    const ids = new Map(recorder.got.map((event) => [event.id, event]));
    const types = [...ids.values()].flatMap((event) =>
      'question' in event.data && event.data.question.chatId === 'new' ? [event.type] : [],
    );
    expect(types.toSorted()).toEqual([
      ...['question.opened', 'question.opened'],
      ...['question.settled', 'question.settled'],
    ]);
  });
  const first = recorder.got.find(({ data }) => 'question' in data && data.question.chatId === 'new');
  expect(first?.type).toBe('question.opened');
});
