/** One numbered clause of a decision: its id (`0004.2`) and its sentence. */
export type Clause = { id: string; sentence: string };

/**
 * Parses the clauses of a decision: lines of the form `- **0004.2** sentence`, continued by indented lines. Lines in
 * code fences are examples and are ignored.
 *
 * @param file the document's name; its first four digits are the number that every clause must carry
 * @throws Error if there is no clause, if an id is used twice, or if an id has another document's number
 */
export function readClauses(file: string, document: string): Clause[] {
  const number = file.slice(0, 4);
  const clauses: Clause[] = [];
  const seen = new Set<string>();
  let fenced = false;
  let continues: Clause | undefined;
  for (const line of document.split(/\r?\n/)) {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    const [, id, sentence] = fenced ? [] : (/^- \*\*(\d{4}\.\d+)\*\*\s+(.+)$/.exec(line) ?? []);
    if (id !== undefined && sentence !== undefined) {
      if (!id.startsWith(`${number}.`)) throw new Error(`${file} has a clause ${id} of another decision.`);
      if (seen.has(id)) throw new Error(`${file} has two clauses ${id}. Renumber one.`);
      seen.add(id);
      continues = { id, sentence: sentence.trim() };
      clauses.push(continues);
    } else if (continues && !fenced && /^\s+[^\s-]/.test(line)) {
      continues.sentence += ` ${line.trim()}`;
    } else continues = undefined;
  }
  if (clauses.length === 0)
    throw new Error(`${file} has no clause of the form "- **${number}.1** sentence".`);
  return clauses;
}
