import type { Scene } from '../scene.ts';
import { oneCall } from './one-call.ts';

const number = String.raw`(-?\d+(?:\.\d+)?)`;
const spoken = new RegExp(
  String.raw`\bmultiply\s+${number}\s*(?:and|by|with|times|,|x|×|\*)\s*${number}`,
  'i',
);
const written = new RegExp(
  String.raw`(?<![\d.])${number}\s*(?:times|multiplied\s+by|x|×|\*)\s*${number}`,
  'i',
);

/** "multiply 5 and 4": a tool of the MCP server. */
export const multiplyScene: Scene = (turn) => {
  const found = spoken.exec(turn.request) ?? written.exec(turn.request);
  if (!found) return undefined;
  const [a, b] = [Number(found[1]), Number(found[2])];
  const call = { toolName: 'multiply', input: { a, b } };
  return oneCall(turn, call, `The product of ${a} and ${b}`, (value) => `${a} times ${b} is ${value}.`);
};
