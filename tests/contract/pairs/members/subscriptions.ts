import { recordingSubscriber } from '../../../support/recording-subscriber.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { isThere, proves } from '../proofs.ts';
import type { Member } from '../stage.ts';

export const member: Member = (setup) => {
  const recorder = recordingSubscriber();
  setup.subscribers.push(recorder.subscriber);
  proves(setup, 'subscriptions', () =>
    waitFor(() => isThere(recorder.got.filter(({ type }) => type === 'question.settled').length)),
  );
};
