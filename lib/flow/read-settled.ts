import type { FlowStore } from '../log/store/index.ts';
import type { Page, Principal, Question } from '../protocol/index.ts';
import { ownerToRead } from '../rights/permissions.ts';
import { type QuestionView, questionView } from '../rights/question-rights.ts';
import { visibleRightsToEach } from '../rights/rights-to.ts';
import { visibleRows } from '../rights/visible-page.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { fits, type QuestionFilter } from './question-filter.ts';

const mostSearched = 200;

/** `searched`: how many questions that this principal may see were searched. */
export type SearchedPage<Item> = Page<Item> & { readonly searched: number };

/**
 * Settled questions that fit a filter, most recently asked first. A page searches 200 questions that its
 * reader may see, so it can be short or empty and still have a cursor. Other people's questions do not count:
 * neither the length of a page nor `searched` depends on them.
 *
 * @source H9, ADR 0012
 */
export async function readSettled(
  { store, settings }: { readonly store: FlowStore; readonly settings: FlowSettings },
  principal: Principal,
  filter: QuestionFilter,
  { limit, ...from }: { readonly cursor?: string; readonly limit: number },
): Promise<SearchedPage<QuestionView>> {
  const { requestedBefore: before, requestedSince = Number.NEGATIVE_INFINITY } = filter;
  const ownerId = await ownerToRead(settings, principal);
  const owner = ownerId === undefined ? {} : { ownerId };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const page = await visibleRows(
    { ...from, limit: isFiltered ? mostSearched : limit },
    async (query) => {
      const read = await store.questions.settled({ ...owner, before, ...query });
      const { next, ...rest } = read;
      const isOver = read.items.some(({ requestedAt }) => requestedAt < requestedSince);
      return next === undefined || isOver ? rest : read;
    },
    (questions) => seen(settings, principal, questions),
  );
  return firstThatFit(page, limit, (question) => fits(settings, filter, question));
}

async function seen(settings: FlowSettings, principal: Principal, questions: readonly Question[]) {
  const rights = await visibleRightsToEach(settings, principal, questions);
  return questions.map((question, index) => rights[index] && questionView(question, rights[index]));
}

/** At most `limit` matching items. The next page continues after them. */
function firstThatFit<Item>(
  { items, cursors, next }: Awaited<ReturnType<typeof visibleRows<never, Item>>>,
  limit: number,
  isFit: (item: Item) => boolean,
): SearchedPage<Item> {
  const places = items.flatMap((item, index) => (isFit(item) ? [index] : [])).slice(0, limit);
  const last = places.length < limit ? items.length - 1 : (places.at(-1) ?? -1);
  const cursor = last === items.length - 1 ? next : cursors[last];
  return { items: places.flatMap((place) => items[place] ?? []), searched: last + 1, next: cursor };
}
