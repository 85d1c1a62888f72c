import fc from 'fast-check';

/** JSON nested deeper than a recursive parser's stack. */
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

/** Values, as JSON text, that an attacker would insert. */
const hostileJson = fc.oneof(
  { weight: 8, arbitrary: fc.json({ maxDepth: 3 }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'null',
      'true',
      '[]',
      '{}',
      '""',
      '-0',
      '1e999',
      '9007199254740993',
      '"\\ud800"',
      '"\\u0000"',
      '"__proto__"',
      '"constructor"',
      '"prototype"',
      '"../../etc/passwd"',
      '"javascript:alert(1)"',
      '{"__proto__":{"approved":true}}',
      '{"constructor":{"prototype":{"approved":true}}}',
      '{"toString":null,"valueOf":1,"length":-1}',
      '{"then":true}',
      '{"toJSON":{}}',
      '[[[[[[{}]]]]]]',
      '[null,null]',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(deep, `"${'x'.repeat(100_000)}"`, `[${'0,'.repeat(50_000)}0]`) },
);

type Spot = { readonly place: number; readonly value: string };

/**
 * Mutations of a valid request, as JSON text: hostile values in random places, forged additional fields, or randomly
 * changed characters.
 */
export function mutationsOf(template: unknown): fc.Arbitrary<string> {
  const spot = fc.record({ place: fc.nat(), value: hostileJson });
  const replaced = fc.array(spot, { minLength: 1, maxLength: 3 }).map((spots) => replaceAt(template, spots));
  const scratched = fc
    .array(fc.tuple(fc.nat(), fc.string({ minLength: 0, maxLength: 2 })), { minLength: 1, maxLength: 4 })
    .map((scratches) => scratches.reduce(scratch, JSON.stringify(template)));
  return fc.oneof(
    { weight: 6, arbitrary: replaced },
    { weight: 2, arbitrary: scratched },
    { weight: 1, arbitrary: hostileJson },
    { weight: 1, arbitrary: fc.string({ maxLength: 200 }) },
  );
}

function scratch(text: string, [place, by]: readonly [number, string]): string {
  const at = place % (text.length + 1);
  return text.slice(0, at) + by + text.slice(at + 1);
}

/** Several spots are filled one after another. Those inside a replaced value are lost with it. */
function replaceAt(template: unknown, spots: readonly Spot[]): string {
  const places = spots.map(({ place }) => place % countOf(template));
  let index = -1;
  const text = JSON.stringify(template, (_, current: unknown) => {
    index += 1;
    const spot = places.indexOf(index);
    return spot === -1 ? current : hole(spot);
  });
  // A replacer function, because `$&` in a hostile value has a meaning in a replacement text.
  return spots.reduce((filled, { value }, spot) => filled.replace(`"${hole(spot)}"`, () => value), text);
}

/** Marks a spot. No test value contains this text. */
function hole(spot: number): string {
  return `@@hole ${spot}@@`;
}

function countOf(template: unknown): number {
  let count = 0;
  JSON.stringify(template, (_, current: unknown) => {
    count += 1;
    return current;
  });
  return count;
}
