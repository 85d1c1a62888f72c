import type { SettingCheck } from '../protocol/settings.ts';
import { mapOf, text, unfit } from '../protocol/settings.ts';
import type { FlowSettings } from './flow-settings.ts';

export type FormerIds = Pick<FlowSettings, 'formerIds'>;

/** Rules use current ids. With a chain of former ids the current one would be ambiguous. */
export const formerIdsCheck: SettingCheck = (value, path) => {
  mapOf(text())(value, path);
  const ids = value as Readonly<Record<string, string>>;
  for (const [former, id] of Object.entries(ids)) {
    if (former === '') unfit(path, 'must not name an empty id');
    if (Object.hasOwn(ids, id)) unfit(`${path}.${former}`, 'must not lead to another former id');
  }
};

export function currentId({ formerIds }: FormerIds, id: string): string {
  return formerIds && Object.hasOwn(formerIds, id) ? (formerIds[id] ?? id) : id;
}

export function withCurrentId<Person extends { readonly id: string }>(
  settings: FormerIds,
  person: Person,
): Person {
  const id = currentId(settings, person.id);
  return id === person.id ? person : { ...person, id };
}

/** Every id under which a person may be recorded, the current one first. @param person with the current id */
export function recordedIds(
  { formerIds = {} }: FormerIds,
  { id }: { readonly id: string },
): readonly string[] {
  const former = Object.entries(formerIds).flatMap(([old, current]) => (current === id ? [old] : []));
  return [id, ...former];
}
