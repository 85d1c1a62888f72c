import { neverAsked } from '../commands/answer/refusals.ts';
import { expireDue, expireIfDue, isDue } from '../commands/expire.ts';
import { isUnknown } from '../log/turn/call-end.ts';
import { errorPlace, type Principal, type Question } from '../protocol/index.ts';
import { mayRead, ownerToRead } from '../rights/permissions.ts';
import { type QuestionDetails, type QuestionView, questionView } from '../rights/question-rights.ts';
import { visibleRights, visibleRightsToEach } from '../rights/rights-to.ts';
import { visiblePage } from '../rights/visible-page.ts';
import type { Engine } from '../run/engine.ts';
import { callOf, outcomeOf } from '../run/outcomes/outcome-of.ts';
import { shownAnswer, shownForm } from '../run/patterns/shown-form.ts';
import { openTurnOf } from '../run/question/open-turn.ts';
import { detailsOf, toolNamed } from '../settings/tools/tool-details.ts';
import type { Cursors } from '../views/questions/cursors.ts';
import { questionContext } from '../views/questions/question-context.ts';
import type { QuestionMarker } from '../views/questions/question-marks.ts';
import { createSharedFeeds } from '../views/questions/shared-feeds.ts';
import { inputSchemaOf } from '../views/tool-listing.ts';
import { openApprovalFeed } from './approval-feed.ts';
import { createListLimit } from './list-limit.ts';
import type { Approvals } from './methods/approvals.ts';
import { largestPage, pageSize } from './page-size.ts';
import { filtered, parseListedState } from './question-filter.ts';
import { readSettled } from './read-settled.ts';

export function createQuestionReads(
  engine: Engine,
  { marks, cursors }: { readonly marks: QuestionMarker; readonly cursors: Cursors },
): Pick<Approvals, 'list' | 'read' | 'feed'> {
  const { store, settings, notifications } = engine;

  async function visible(
    principal: Principal,
    question: Question | undefined,
  ): Promise<QuestionView | undefined> {
    const rights = question && (await visibleRights(settings, principal, question));
    return rights && questionView(question, { ...rights, ...(await marks.markOf(question)) });
  }

  const feeds = createSharedFeeds(store, notifications, visible);
  const limited = createListLimit();

  async function list({
    principal,
    state: given,
    cursor,
    limit,
    ...filter
  }: Parameters<Approvals['list']>[0]): ReturnType<Approvals['list']> {
    const state = parseListedState(given);
    await expireDue(engine, largestPage);
    const from = { cursor, limit: pageSize(limit) };
    if (state === 'settled') {
      return cursors.page('settled', principal, from, (place) =>
        readSettled(engine, principal, filter, place),
      );
    }
    // With a custom rule, this principal may have to answer questions of other people's chats.
    const ownerId = await ownerToRead(settings, principal);
    const page = await cursors.page('approvals', principal, from, (place) =>
      visiblePage(
        place,
        async (query) => filtered(settings, filter, await store.questions.list({ state, ownerId, ...query })),
        async (questions) => {
          const rights = await visibleRightsToEach(settings, principal, questions);
          return questions.map((question, index) => rights[index] && questionView(question, rights[index]));
        },
      ),
    );
    const marked = await marks.marksOf(page.items);
    return { ...page, items: page.items.map((question, index) => ({ ...question, ...marked[index] })) };
  }

  return {
    list: (request) => limited(request.principal, () => list(request)),

    async read({ principal, approvalId }) {
      const found = await store.questions.read(approvalId);
      if (found && (await isDue(engine, found))) {
        if (!(await visible(principal, found))) throw neverAsked(approvalId);
        await expireIfDue(engine, found);
      }
      const seen = found && (await visible(principal, await store.questions.read(approvalId)));
      if (!seen) throw neverAsked(approvalId);
      const [plugins, context] = await Promise.all([
        pluginDetails(engine, principal, seen),
        contextFor(engine, principal, seen),
      ]);
      const details = { ...seen, plugins, ...context };
      if (seen.state === 'approved') return { ...details, ...(await outcomeFor(engine, seen)) };
      if (!seen.mayEdit) return details;
      const open = (seen.waitsIn || settings.prepareCall) && (await openTurnOf(engine, seen));
      const form = open?.call.requested.form;
      if (form !== undefined) return { ...details, inputSchema: shownForm(form) };
      const { settings: own } = open ? await engine.forTurn(open) : engine;
      const inputSchema = seen.needsValue
        ? await shownAnswer(toolNamed(own, seen.toolName)?.outputSchema)
        : await inputSchemaOf(own, seen.toolName);
      return { ...details, inputSchema };
    },

    feed: (request) => openApprovalFeed(engine, feeds, cursors, request),
  };
}

/** Why an open question is asked, for people who may see its chat or answer it. @source ADR 0015 */
async function contextFor(
  engine: Engine,
  principal: Principal,
  question: QuestionView,
): Promise<Pick<QuestionDetails, 'context'>> {
  const { store, settings } = engine;
  const { id, chatId, ownerId, state, toolName, mayAnswer, hasAnswered } = question;
  if (state !== 'open') return {};
  const maySeeChat = await mayRead(settings, principal, { id: chatId, ownerId });
  const isShared = (mayAnswer || hasAnswered) && detailsOf(settings, toolName).shareContext !== false;
  const head = maySeeChat || isShared ? await store.chats.head(chatId) : undefined;
  if (!head || head.open !== id) return {};
  return { context: { ...(await questionContext(engine, head, question)), maySeeChat } };
}

async function pluginDetails(
  { hooks, logger }: Engine,
  principal: Principal,
  question: QuestionView,
): Promise<QuestionView['plugins']> {
  const added = hooks.details.map(async ({ plugin, add }) => {
    try {
      const said = await add(principal, question);
      return said === undefined ? {} : { [plugin]: said };
    } catch (error) {
      const facts = { plugin, approvalId: question.id, error: errorPlace(error) };
      logger.error('A plugin could not add to the details of a question.', facts);
      return {};
    }
  });
  const parts = (await Promise.all(added)).filter((part) => Object.keys(part).length > 0);
  return parts.length === 0 ? question.plugins : Object.assign({}, question.plugins, ...parts);
}

/** What came of the call of an approved question. It has nothing of the call's output or error. */
async function outcomeFor(
  { store }: Engine,
  question: QuestionView,
): Promise<Pick<QuestionDetails, 'outcome' | 'mayRecord' | 'resolution'>> {
  const call = await callOf(store, question);
  if (!call) return {};
  const outcome = outcomeOf(call);
  if (!call.resolved) {
    // Only a person with a right of their own may record it.
    const mayRecord =
      question.mayAnswer && !question.onBehalfOf && call.end !== undefined && isUnknown(call.end);
    return { outcome, mayRecord: mayRecord || undefined };
  }
  const { source, outcome: resolved, by, note, at } = call.resolved;
  const recordedAt = new Date(at).toISOString();
  return { outcome, resolution: { source, outcome: resolved, at: recordedAt, by, note } };
}
