/** Objects within each other. @param levels how many @param leaf what the last one contains */
export function nested(levels: number, leaf: unknown = 'leaf'): unknown {
  return Array.from({ length: levels }).reduce((inner) => ({ in: inner }), leaf);
}
