import { CountersignError, type Ids, personOf } from '../../protocol/index.ts';
import { currentId, type FormerIds } from '../../settings/former-ids.ts';
import type { Delegation } from './delegation.ts';
import type { Delegations } from './delegations.ts';
import type { Directory } from './directory.ts';
import { delegationsTo } from './givers.ts';
import type { DelegateRequest, DelegationMethods } from './methods.ts';

/** Each person can have this many delegations to others. */
const mostGiven = 10;
const mostTools = 20;
const longestToolName = 128;
const longestNote = 200;
const shortestSearch = 2;
const longestSearch = 100;
const mostFound = 10;

/** What the methods work with. */
type Parts = {
  readonly settings: FormerIds;
  readonly ids: Ids;
  readonly directory: Directory;
  readonly delegations: Delegations;
  readonly longestMs: number;
};

/** The methods of the plugin. */
export function createMethods(parts: Parts): DelegationMethods {
  const { directory, delegations, longestMs } = parts;
  return {
    give: (request) => give(parts, request),

    async revoke({ principal, delegationId }) {
      await delegations.append((live) => {
        const found = live.find((one) => one.id === delegationId);
        const isTheirs = [found?.from.id, found?.to.id].includes(principal.id);
        if (!isTheirs) {
          throw new CountersignError('not-found', `You have no delegation ${delegationId}.`, {
            delegationId,
          });
        }
        return {
          name: 'revoked',
          data: { delegationId, by: personOf(principal) },
          live: live.filter((one) => one !== found),
        };
      });
    },

    async list({ principal }) {
      await delegations.refresh();
      const live = await delegations.live();
      const given = live.filter(({ from }) => from.id === principal.id);
      return { given, received: delegationsTo(live, principal), longestMs };
    },

    async people({ principal, search }) {
      const text = search.trim();
      if (text.length < shortestSearch || text.length > longestSearch)
        throw invalid(`Search for a name with ${shortestSearch} to ${longestSearch} characters.`);
      const found = (await directory.find({ search: text, limit: mostFound + 1 })) ?? [];
      return found
        .filter(({ id }) => id !== principal.id)
        .slice(0, mostFound)
        .map(personOf);
    },
  };
}

async function give(
  { settings, ids, directory, delegations, longestMs }: Parts,
  request: DelegateRequest,
): Promise<Delegation> {
  const { toolNames, note, until } = request;
  assertFits(request);
  const { id } = request.principal;
  const to = currentId(settings, request.to);
  if (to === id) throw invalid('You cannot delegate to yourself.');
  const [giver, receiver] = await Promise.all([directory.person(id), directory.person(to)]);
  if (!giver) throw invalid('You are not in the directory of people, so nobody could answer for you.');
  if (!receiver) throw invalid('The person was not found in the directory.');
  let made: Delegation | undefined;
  await delegations.append((live, now) => {
    if (until <= now) throw invalid('A delegation must end in the future.');
    if (until - now > longestMs)
      throw invalid(`A delegation lasts at most ${Math.floor(longestMs / 60_000)} minutes.`);
    if (live.filter(({ from }) => from.id === id).length >= mostGiven)
      throw invalid(`You have ${mostGiven} delegations, which is the most. Revoke one first.`);
    const delegation: Delegation = {
      id: ids.other('dlg'),
      from: personOf(giver),
      to: personOf(receiver),
      createdAt: now,
      until,
      toolNames: toolNames && [...new Set(toolNames)],
      note,
    };
    made = delegation;
    return { name: 'given', data: { delegation }, live: [...live, delegation] };
  });
  if (!made) throw new CountersignError('internal', 'The delegation was not recorded.');
  return made;
}

function assertFits({ until, toolNames, note }: DelegateRequest): void {
  if (!Number.isFinite(until)) throw invalid('A delegation needs a time at which it ends.');
  const isListed =
    toolNames === undefined ||
    (toolNames.length >= 1 &&
      toolNames.length <= mostTools &&
      toolNames.every((name) => name.length >= 1 && name.length <= longestToolName));
  if (!isListed) throw invalid(`A delegation names 1 to ${mostTools} tools, or none for all of them.`);
  if (note !== undefined && note.length > longestNote)
    throw invalid(`A note has at most ${longestNote} characters.`);
}

function invalid(text: string): CountersignError {
  return new CountersignError('invalid-request', text);
}
