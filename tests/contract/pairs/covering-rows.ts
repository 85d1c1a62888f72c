/** A row: two members that meet, and a value for each of the settings. */
export type CoveringRow<Settings> = { readonly pair: readonly [string, string]; readonly settings: Settings };

type Values = Readonly<Record<string, string>>;

/**
 * Gives each pair the combination of settings that is newest to its members: the one with most pairs of values that they have not met,
 * and of those, the one that they have met least.
 */
export function coveringRows<Settings extends Values>(
  pairs: readonly (readonly [string, string])[],
  combinations: readonly Settings[],
): readonly CoveringRow<Settings>[] {
  const met = new Map<string, number>();
  const times = (facts: readonly string[]) => facts.reduce((sum, fact) => sum + (met.get(fact) ?? 0), 0);
  return pairs.map((pair) => {
    const factsOf = (settings: Settings) =>
      pair.flatMap((member) => twoValuesOf(settings).map((two) => `${member} ${two}`));
    const cost = (settings: Settings) => {
      const facts = factsOf(settings);
      return facts.filter((fact) => met.has(fact)).length * 1_000 + times(facts);
    };
    const settings = combinations.reduce((one, other) => (cost(other) < cost(one) ? other : one));
    for (const fact of factsOf(settings)) met.set(fact, (met.get(fact) ?? 0) + 1);
    return { pair, settings };
  });
}

/** Each two values of the settings of a row. */
export function twoValuesOf(settings: Values): readonly string[] {
  const values = Object.values(settings);
  return values.flatMap((one, place) => values.slice(place + 1).map((other) => `${one} ${other}`));
}

/** The fewest rows, found greedily, in which each member meets each single value of the settings. */
export function coveringSubset<Row extends CoveringRow<Values>>(rows: readonly Row[]): ReadonlySet<Row> {
  const factsOf = ({ pair, settings }: Row) =>
    pair.flatMap((member) => Object.values(settings).map((value) => `${member} ${value}`));
  const missing = new Set(rows.flatMap(factsOf));
  const chosen = new Set<Row>();
  const gain = (row: Row) => factsOf(row).filter((fact) => missing.has(fact)).length;
  while (missing.size > 0) {
    const best = rows.reduce((one, other) => (gain(other) > gain(one) ? other : one));
    chosen.add(best);
    for (const fact of factsOf(best)) missing.delete(fact);
  }
  return chosen;
}
