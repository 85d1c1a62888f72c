import type { Principal } from '../../protocol/index.ts';
import { bool, checkSettings, func, number } from '../../protocol/settings.ts';
import type { RuledQuestion } from '../../settings/flow-settings.ts';

/**
 * What the directory of people is asked: for certain people, for those whose names fit a text, or for those who may be
 * concerned with a question. `limit` is the largest number of people that is used, at most 100.
 *
 * @source ADR 0049
 */
export type PeopleQuery = { readonly limit: number } & (
  | { readonly ids: readonly string[]; readonly search?: undefined; readonly question?: undefined }
  | { readonly search: string; readonly ids?: undefined; readonly question?: undefined }
  | { readonly question: RuledQuestion; readonly ids?: undefined; readonly search?: undefined }
);

/**
 * The directory of people: principals as they are now, with their current roles, the most likely first. The answer to `ids`
 * leaves out people who are not in the directory. It may return more than fits the query: each person is checked again.
 *
 * It may take two seconds. If it takes longer or fails, this is logged, and counts as if nobody had been found.
 *
 * @source ADR 0049
 */
export type PeopleDirectory = (query: PeopleQuery) => readonly Principal[] | Promise<readonly Principal[]>;

/** The settings of the plugin. @source ADR 0049 */
export type DelegationSettings = {
  /** The directory of people. Only their ids and names leave the server. */
  readonly people: PeopleDirectory;
  /** The longest time for which a person can delegate, in milliseconds. Default 2,592,000,000 (30 days). */
  readonly longestMs?: number;
  /** Shows the person who asked for a call who may answer its question. Default false: others see the names, the asker does not. */
  readonly showApproversToAsker?: boolean;
};

/** @see DelegationSettings */
export const defaultLongestMs = 30 * 24 * 3_600_000;

/** At most a year: longer, and it is not for a time. */
const longest = 366 * 24 * 3_600_000;

/** @throws CountersignError `invalid-settings` */
export function checkDelegation(settings: DelegationSettings): void {
  const checks = { people: func, longestMs: number(1, longest), showApproversToAsker: bool };
  checkSettings('delegation', settings, checks, ['people']);
}
