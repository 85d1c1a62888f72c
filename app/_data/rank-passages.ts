/** Words without meaning for a search. A query of these words alone finds nothing. */
const stopWords = new Set(
  'a an and are as at be by do does for from how i in is it of on or the to was what when where which who why with'.split(
    ' ',
  ),
);

/** Lower-case words without accents and without a plural `s`, so that "Approvals" finds "approval". */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word,
  );
}

/** A searchable passage. Words in its title count three times. */
export type Passage = { readonly title: string; readonly text: string };

/** A passage that contains at least one word of the query. `score` is above 0; higher is better. */
export type RankedPassage<PASSAGE extends Passage> = { readonly passage: PASSAGE; readonly score: number };

/**
 * The passages that contain a word of the query, best first. Rare words weigh more, and repetitions of a word weigh
 * less. Linear in the text; keeps no index.
 */
export function rankPassages<PASSAGE extends Passage>(
  query: string,
  passages: readonly PASSAGE[],
): RankedPassage<PASSAGE>[] {
  const wanted = [...new Set(wordsOf(query))].filter((word) => !stopWords.has(word));
  const counted = passages.map((passage) => {
    const counts = new Map<string, number>();
    const count = (word: string, weight: number) => counts.set(word, (counts.get(word) ?? 0) + weight);
    for (const word of wordsOf(passage.title)) count(word, 3);
    for (const word of wordsOf(passage.text)) count(word, 1);
    return { passage, counts };
  });
  const rarity = new Map(
    wanted.map((word) => {
      const holders = counted.filter(({ counts }) => counts.has(word)).length;
      return [word, Math.log(1 + passages.length / (holders + 1))];
    }),
  );
  return counted
    .map(({ passage, counts }) => {
      const score = wanted.reduce((sum, word) => {
        const count = counts.get(word) ?? 0;
        return sum + (rarity.get(word) ?? 0) * (count / (count + 1));
      }, 0);
      return { passage, score: Math.round(score * 1000) / 1000 };
    })
    .filter(({ score }) => score > 0)
    .sort((first, second) => second.score - first.score);
}

/** At most `length` characters of the text, starting shortly before the first word of the query. */
export function excerptOf(query: string, text: string, length = 240): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const wanted = new Set(wordsOf(query).filter((word) => !stopWords.has(word)));
  const first = [...flat.matchAll(/[\p{L}\p{N}]+/gu)].find(({ 0: word }) =>
    wordsOf(word).some((candidate) => wanted.has(candidate)),
  );
  const start = Math.max(0, (first?.index ?? 0) - 60);
  const cut = flat.slice(start, start + length);
  return `${start > 0 ? '…' : ''}${cut}${start + length < flat.length ? '…' : ''}`;
}
