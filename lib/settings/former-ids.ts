import type { SettingCheck } from '../protocol/settings.ts';
import { mapOf, text, unfit } from '../protocol/settings.ts';
import type { FlowSettings } from './flow-settings.ts';

type Renames = Pick<FlowSettings, 'formerIds'>;

/** Ids are judged as they are now, so a chain would leave it open which one that is. */
export const formerIdsCheck: SettingCheck = (value, path) => {
  mapOf(text())(value, path);
  const ids = value as Readonly<Record<string, string>>;
  for (const [former, id] of Object.entries(ids)) {
    if (former === '') unfit(path, 'must not name an empty id');
    if (Object.hasOwn(ids, id)) unfit(`${path}.${former}`, 'must not lead to another former id');
  }
};

/** The id that a principal has now: its own, unless that is a former one. */
export function idNow({ formerIds }: Renames, id: string): string {
  return formerIds && Object.hasOwn(formerIds, id) ? (formerIds[id] ?? id) : id;
}

/** Somebody under the id that they have now. */
export function asNow<Somebody extends { readonly id: string }>(
  settings: Renames,
  somebody: Somebody,
): Somebody {
  const id = idNow(settings, somebody.id);
  return id === somebody.id ? somebody : { ...somebody, id };
}

/** Every id under which a principal may stand in a log: its own, then its former ones. */
export function idsOf({ formerIds = {} }: Renames, id: string): readonly string[] {
  const former = Object.entries(formerIds).flatMap(([old, now]) => (now === id ? [old] : []));
  return [id, ...former];
}
