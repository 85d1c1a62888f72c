import type { Terminal } from '../command.ts';

const codes = { bold: 1, dim: 2, red: 31, yellow: 33, green: 32 } as const;

/** Marks a text. Without colours it returns the text. */
export type Paint = (style: keyof typeof codes, text: string) => string;

/** Colours only on a terminal, and never with `NO_COLOR`. @source ADR 0044.3 */
export function paintFor({ isTerminal = false, env }: Terminal): Paint {
  const isPlain = !isTerminal || (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  return isPlain ? (_style, text) => text : (style, text) => `\u001b[${codes[style]}m${text}\u001b[0m`;
}

/** The style of a risk. */
export function styleOfRisk(risk: string | undefined): keyof typeof codes {
  return risk === 'high' ? 'red' : risk === 'medium' ? 'yellow' : 'dim';
}
