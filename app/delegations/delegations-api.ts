import { z } from 'zod';
import { deleteEntry, loadPage } from '../_entries/entries-api.ts';
import type { EntriesSource } from '../_entries/use-entries.ts';

const personSchema = z.object({ id: z.string(), name: z.string() });

const delegationSchema = z.object({
  id: z.string(),
  from: personSchema,
  to: personSchema,
  until: z.string(),
  toolNames: z.array(z.string()).optional(),
  note: z.string().optional(),
});

const delegationsSchema = z.object({
  given: z.array(delegationSchema),
  received: z.array(delegationSchema),
});

const peopleSchema = z.object({ people: z.array(personSchema) });

const problemSchema = z.object({ error: z.object({ message: z.string() }) });

/** Somebody to delegate to. */
export type Person = z.infer<typeof personSchema>;

/** A delegation, seen from this person. `until` is ISO 8601. @source ADR 0049 */
export type Delegation = z.infer<typeof delegationSchema> & { readonly isGiven: boolean };

/** What the form asks for. `until` is ISO 8601. */
export type NewDelegation = {
  readonly to: string;
  readonly until: string;
  readonly toolNames?: readonly string[];
  readonly note?: string;
};

/** The delegations of this person: first those that they gave. */
export const delegations: EntriesSource<Delegation> = {
  async load() {
    const lists = await loadPage('/api/delegations', delegationsSchema, undefined);
    if (!lists) return undefined;
    const given = lists.given.map((one) => ({ ...one, isGiven: true }));
    return { items: [...given, ...lists.received.map((one) => ({ ...one, isGiven: false }))] };
  },
  remove: ({ id }) => deleteEntry(`/api/delegations/${encodeURIComponent(id)}`),
};

/** People whose names fit; `undefined` when the server cannot be reached. */
export async function searchPeople(search: string): Promise<readonly Person[] | undefined> {
  const found = await loadPage(`/api/people?search=${encodeURIComponent(search)}`, peopleSchema, undefined);
  return found?.people;
}

/** Lets another person answer. @returns why it was refused; `undefined` if it was not */
export async function delegate(delegation: NewDelegation): Promise<string | undefined> {
  const unreachable = 'The server can’t be reached. Try again.';
  try {
    const response = await fetch('/api/delegations', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(delegation),
    });
    if (response.ok) return undefined;
    const { data } = problemSchema.safeParse(await response.json());
    return data?.error.message ?? unreachable;
  } catch {
    return unreachable;
  }
}
