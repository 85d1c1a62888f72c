import type { InboxFilter } from './filter-questions.ts';

const risks = ['low', 'medium', 'high'] as const;
const ages = ['hour', 'day', 'older'] as const;
const sorts = ['deadline', 'risk'] as const;

/**
 * A filter from the query of an address. Unknown parameters and values are ignored, so that an old link still opens the
 * inbox.
 *
 * @param search such as `?tool=pay&risk=high`
 */
export function parseInboxSearch(search: string | URLSearchParams): InboxFilter {
  const given = new URLSearchParams(search);
  const text = (name: string) => given.get(name) || undefined;
  const oneOf = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === given.get(name));
  return present({
    tool: text('tool'),
    risk: oneOf('risk', risks),
    asker: text('asker'),
    age: oneOf('age', ages),
    text: text('text'),
    sort: oneOf('sort', sorts),
  });
}

/** The query of an address that shows the inbox with this filter: empty, or beginning with `?`. */
export function formatInboxSearch({ tool, risk, asker, age, text, sort }: InboxFilter): string {
  const query = new URLSearchParams(present({ tool, risk, asker, age, text, sort })).toString();
  return query === '' ? '' : `?${query}`;
}

type Present<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

function present<Fields extends Readonly<Record<string, string | undefined>>>(
  fields: Fields,
): Present<Fields> & Record<string, string> {
  const entries = Object.entries(fields).filter(([, value]) => value);
  return Object.fromEntries(entries) as Present<Fields> & Record<string, string>;
}
