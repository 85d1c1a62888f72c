import { CountersignError, type Principal, type Question } from '../vocabulary/index.ts';
import type { Cursors } from './cursors.ts';
import type { Engine } from './engine.ts';
import { expireDue } from './expiry.ts';
import { hasRules } from './permissions.ts';
import { type FedQuestion, questionFeed } from './question-feed.ts';
import type { ApprovalFeed, FedView, QuestionView } from './types.ts';

const mostExpired = 200;
/** The place before everything. */
const oldest = '0';

/**
 * The questions that a principal may see, as they open and settle. Places in the store's feed count everybody's changes,
 * so what a client gets is encrypted. The place where a feed begins is mixed with random bits: told twice, it looks
 * different, whether or not anything has happened in between.
 *
 * @param see what the principal may see of a question
 * @throws CountersignError `invalid-request` for a place that no feed of this principal gave
 * @source contract H11; ADR 0012
 */
export async function openApprovalFeed(
  engine: Engine,
  cursors: Cursors,
  { principal, after: given }: { readonly principal: Principal; readonly after?: string },
  see: (question: Question) => Promise<QuestionView | undefined>,
): Promise<ApprovalFeed> {
  const { store, wakes, pauses, settings } = engine;
  const from =
    given === undefined ? await store.lastQuestionChange() : await placeOf(cursors, principal, given);
  await expireDue(engine, mostExpired);
  const ownerId = hasRules(settings) ? undefined : principal.id;
  const changes = questionFeed({ store, wakes, pauses, after: from, ownerId }).pipeThrough(
    new TransformStream<FedQuestion, FedView>({
      async transform({ change, question }, controller) {
        const seen = await see(question);
        if (!seen) return;
        controller.enqueue({
          ...(change !== undefined && { place: await cursors.seal('feed', principal, String(change)) }),
          question: seen,
        });
      },
    }),
  );
  return { after: given ?? (await cursors.sealAnew('feed', principal, String(from))), changes };
}

async function placeOf(cursors: Cursors, principal: Principal, given: string): Promise<number> {
  if (given === oldest) return 0;
  const place = Number.parseInt(await cursors.open('feed', principal, given), 10);
  if (Number.isSafeInteger(place)) return place;
  throw new CountersignError('invalid-request', 'This is not a place in the feed.');
}
