import type { Delegations } from '../log/flow-log/delegations.ts';
import {
  CountersignError,
  type Delegation,
  type DelegationId,
  type Person,
  type Principal,
  personOf,
} from '../protocol/index.ts';
import { findPeople, findPerson } from '../rights/delegation/directory.ts';
import { delegationsTo } from '../rights/delegation/givers.ts';
import type { Engine } from '../run/engine.ts';
import { defaultLongestMs } from '../settings/delegation/people.ts';
import { currentId } from '../settings/former-ids.ts';

/** Each person can have this many delegations to others. */
const mostGiven = 10;
const mostTools = 20;
const longestToolName = 128;
const longestNote = 200;
const shortestSearch = 2;
const longestSearch = 100;
const mostFound = 10;

/**
 * What a person delegates: the right to answer, to the person with the id `to`, until a time in epoch milliseconds.
 *
 * @source ADR 0049
 */
export type DelegateRequest = {
  readonly principal: Principal;
  readonly to: string;
  readonly until: number;
  /** The tools whose questions it covers, at most 20. Default: all. */
  readonly toolNames?: readonly string[];
  /** Why, for the other person: at most 200 characters. */
  readonly note?: string;
};

/** The delegations of a person that are live, oldest first. */
export type DelegationList = {
  /** Who may answer for this person. */
  readonly given: readonly Delegation[];
  /** For whom this person may answer. */
  readonly received: readonly Delegation[];
  /** The longest time for which this person can delegate, in milliseconds. */
  readonly longestMs: number;
};

/**
 * Records that one person may answer for another.
 *
 * @throws CountersignError `not-found` without the setting `delegations`; `invalid-request`
 * @source ADR 0049
 */
export async function delegate(engine: Engine, request: DelegateRequest): Promise<Delegation> {
  const { settings, ids } = engine;
  const delegations = delegationsOf(engine);
  const { toolNames, note, until } = request;
  assertFits(request);
  const { id } = request.principal;
  const to = currentId(settings, request.to);
  if (to === id) throw invalid('You cannot delegate to yourself.');
  const [giver, receiver] = await Promise.all([findPerson(settings, id), findPerson(settings, to)]);
  if (!giver) throw invalid('You are not in the directory of people, so nobody could answer for you.');
  if (!receiver) throw invalid('The person was not found in the directory.');
  const longestMs = longestOf(engine);
  let made: Delegation | undefined;
  await delegations.append((live, now) => {
    if (until <= now) throw invalid('A delegation must end in the future.');
    if (until - now > longestMs)
      throw invalid(`A delegation lasts at most ${Math.floor(longestMs / 60_000)} minutes.`);
    if (live.filter(({ from }) => from.id === id).length >= mostGiven)
      throw invalid(`You have ${mostGiven} delegations, which is the most. Revoke one first.`);
    const delegation: Delegation = {
      id: ids.delegation(),
      from: personOf(giver),
      to: personOf(receiver),
      createdAt: now,
      until,
      toolNames: toolNames && [...new Set(toolNames)],
      note,
    };
    made = delegation;
    return { event: { type: 'delegated', delegation }, live: [...live, delegation] };
  });
  if (!made) throw new CountersignError('internal', 'The delegation was not recorded.');
  return made;
}

/**
 * Ends a delegation. Both people can: the one who gave it, and the one who received it.
 *
 * @throws CountersignError `not-found` for a delegation of other people, and for one that has ended
 * @source ADR 0049
 */
export async function revokeDelegation(
  engine: Engine,
  { principal, delegationId }: { readonly principal: Principal; readonly delegationId: DelegationId },
): Promise<void> {
  await delegationsOf(engine).append((live) => {
    const found = live.find((one) => one.id === delegationId);
    const isTheirs = [found?.from.id, found?.to.id].includes(principal.id);
    if (!isTheirs) {
      throw new CountersignError('not-found', `You have no delegation ${delegationId}.`, { delegationId });
    }
    return {
      event: { type: 'delegation-revoked', delegationId, by: personOf(principal) },
      live: live.filter((one) => one !== found),
    };
  });
}

/**
 * The live delegations of a person.
 *
 * @throws CountersignError `not-found` without the setting `delegations`
 */
export async function listDelegations(engine: Engine, principal: Principal): Promise<DelegationList> {
  const { settings } = engine;
  const delegations = delegationsOf(engine);
  await delegations.refresh();
  const given = (await delegations.live()).filter(({ from }) => from.id === principal.id);
  return { given, received: await delegationsTo(settings, principal), longestMs: longestOf(engine) };
}

/**
 * People of the directory whose names fit a text, without the one who searches: to delegate to.
 *
 * @throws CountersignError `not-found` without the setting `delegations`; `invalid-request` for a text of fewer than 2 or more
 *   than 100 characters
 */
export async function searchPeople(
  engine: Engine,
  { principal, search }: { readonly principal: Principal; readonly search: string },
): Promise<readonly Person[]> {
  const { settings } = engine;
  delegationsOf(engine);
  const text = search.trim();
  if (text.length < shortestSearch || text.length > longestSearch)
    throw invalid(`Search for a name with ${shortestSearch} to ${longestSearch} characters.`);
  const found = (await findPeople(settings, { search: text, limit: mostFound + 1 })) ?? [];
  return found
    .filter(({ id }) => id !== principal.id)
    .slice(0, mostFound)
    .map(personOf);
}

function delegationsOf({ delegations }: Engine): Delegations {
  if (delegations) return delegations;
  throw new CountersignError('not-found', 'Nobody can delegate here. See the setting `delegations`.');
}

function longestOf({ settings }: Engine): number {
  return settings.delegations?.longestMs ?? defaultLongestMs;
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
