/** A part of a text: from the first unit to the one after the last, in UTF-16 code units. */
export type TextRange = { from: number; to: number };

/** One state for each beginning of a text. `fallback` is the state of its longest proper ending that is also a beginning. */
type States = {
  readonly next: Map<number, number>;
  readonly fallback: number[];
  /** The length of the longest text that ends in this state; 0 for none. */
  readonly longest: number[];
};

/** Above every code unit, so that a state and a unit make one key. */
const units = 65_536;

/**
 * Prepares a search for many texts that takes one pass over each text that is searched (Aho-Corasick). A regular expression
 * of all texts has a limit of its size, and one search for each text takes quadratic time: both were attacks.
 *
 * @param texts empty ones are ignored
 * @returns the parts of a text that occurrences of `texts` cover, in order. Occurrences that overlap are one part.
 */
export function createCoverage(texts: Iterable<string>): (text: string) => readonly TextRange[] {
  const states = statesOf(texts);
  return (text) => {
    const covered: TextRange[] = [];
    let state = 0;
    for (let index = 0; index < text.length; index += 1) {
      state = after(states, state, text.charCodeAt(index));
      const length = states.longest[state] ?? 0;
      if (length > 0) cover(covered, { from: index + 1 - length, to: index + 1 });
    }
    return covered;
  };
}

function cover(covered: TextRange[], { from, to }: TextRange): void {
  let first = from;
  for (let last = covered.at(-1); last && last.to > first; last = covered.at(-1)) {
    first = Math.min(first, last.from);
    covered.pop();
  }
  covered.push({ from: first, to });
}

function after({ next, fallback }: States, state: number, unit: number): number {
  for (let from = state; ; from = fallback[from] ?? 0) {
    const to = next.get(from * units + unit);
    if (to !== undefined) return to;
    if (from === 0) return 0;
  }
}

function statesOf(texts: Iterable<string>): States {
  const states: States = { next: new Map(), fallback: [0], longest: [0] };
  const { next, fallback, longest } = states;
  /** The states of each depth, with the state before and the unit between. */
  const levels: [state: number, before: number, unit: number][][] = [];
  for (const text of texts) {
    let state = 0;
    for (let depth = 0; depth < text.length; depth += 1) {
      const unit = text.charCodeAt(depth);
      const known = next.get(state * units + unit);
      const to = known ?? longest.push(0) - 1;
      if (known === undefined) {
        next.set(state * units + unit, to);
        fallback.push(0);
        const level = levels[depth] ?? [];
        level.push([to, state, unit]);
        levels[depth] = level;
      }
      state = to;
    }
    longest[state] = text.length;
  }
  // A fallback is always less deep, so its own are known.
  for (const [depth, level] of levels.entries()) {
    for (const [state, before, unit] of level) {
      const to = depth === 0 ? 0 : after(states, fallback[before] ?? 0, unit);
      fallback[state] = to;
      longest[state] ||= longest[to] ?? 0;
    }
  }
  return states;
}
