import { RE2JS } from 're2js';
import type { Fit } from './fit.ts';

/** In characters. */
const longestPattern = 500;
/** Instructions of a compiled pattern. A counted repetition multiplies them. */
const mostInstructions = 1_000;
/** What one check may cost: instructions times characters. Half a second at most. */
const mostSteps = 1_000_000;
/** Compiling an instruction takes as long as so many steps. */
const stepsToCompile = 10;

type Compiled = { readonly size: number; test(text: string): boolean };

/** The patterns of one check, compiled once, which share its steps. */
export type LinearPatterns = {
  /** Whether a text has a part that fits, as JSON Schema has it. */
  fit(pattern: string, text: string): Fit;
  /** Whether the engine knows a pattern. */
  knows(pattern: string): boolean;
  /** Takes steps for other work. False if none are left. */
  spend(steps: number): boolean;
};

/**
 * Evaluates patterns of JSON Schemas that may come from others. JavaScript's own expressions backtrack, so a pattern of twelve
 * characters can stop the process for hours. This engine's time is linear in the text, and its steps are counted.
 *
 * @source ADR 0053
 */
export function createLinearPatterns(): LinearPatterns {
  const known = new Map<string, Compiled | undefined>();
  let left = mostSteps;

  function spend(steps: number): boolean {
    left -= steps;
    return left >= 0;
  }

  function compiled(pattern: string): Compiled | undefined {
    if (!known.has(pattern)) {
      const made = left > 0 ? compile(pattern) : undefined;
      known.set(pattern, made && spend(made.size * stepsToCompile) ? made : undefined);
    }
    return known.get(pattern);
  }

  return {
    fit(pattern, text) {
      const found = compiled(pattern);
      if (!found || !spend(found.size * (text.length + 1))) return 'unknown';
      return found.test(text) ? 'fits' : 'unfit';
    },
    knows: (pattern) => compiled(pattern) !== undefined,
    spend,
  };
}

function compile(pattern: string): Compiled | undefined {
  if (pattern.length > longestPattern) return undefined;
  try {
    const plain = withoutNeedlessEscapes(pattern);
    // Only parses it: what JavaScript does not accept would mean something else to the engine.
    new RegExp(plain, 'u');
    const expression = RE2JS.compile(RE2JS.translateRegExp(asInJavaScript(plain)));
    const size = expression.programSize();
    return size > mostInstructions ? undefined : { size, test: (text) => expression.test(text) };
  } catch {
    return undefined;
  }
}

/** Where a character class begins or ends, an escape, or the dot. */
const tokens = /\\k|\\u[dD][89a-fA-F]|\\[\s\S]|\[\^?|\]|\./g;

function replaceTokens(pattern: string, replace: (token: string, isInClass: boolean) => string): string {
  let isInClass = false;
  return pattern.replace(tokens, (token) => {
    const replaced = replace(token, isInClass);
    if (token.startsWith('[')) isInClass = true;
    else if (token === ']') isInClass = false;
    return replaced;
  });
}

/** Schemas from other languages escape `-` and quotes, which JavaScript accepts only without the flag `u`. */
function withoutNeedlessEscapes(pattern: string): string {
  return replaceTokens(pattern, (token, isInClass) => {
    const isNeedless = /^\\[-_'"@#%&,:;<=>~`! ]$/.test(token) && !(isInClass && token === '\\-');
    return isNeedless ? token.slice(1) : token;
  });
}

const space =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const noSpace =
  '\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

/** White space and line ends are others in RE2. @throws Error for a backreference by name, and for half of a surrogate pair */
function asInJavaScript(pattern: string): string {
  return replaceTokens(pattern, (token, isInClass) => {
    const isHalf = token.startsWith('\\u') && token.length > 2;
    if (token === '\\k' || isHalf) throw new Error('The engine does not know this.');
    if (token === '\\s') return isInClass ? space : `[${space}]`;
    if (token === '\\S') return isInClass ? noSpace : `[${noSpace}]`;
    return token === '.' && !isInClass ? '[^\\n\\r\\x{2028}\\x{2029}]' : token;
  });
}
