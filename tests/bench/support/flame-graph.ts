import type { FoldedStacks } from './profile-process.ts';

type Frame = { readonly name: string; ms: number; readonly callees: Map<string, Frame> };

const width = 1_200;
const rowHeight = 18;
/** Narrower ones could not be seen, and their callees are not drawn. */
const leastWidth = 1.5;
const characterWidth = 6.3;
const colours = ['#f3dcb4', '#cfe3ef', '#d9ead0', '#f1d3c6', '#e0d8ee', '#e8e6c4'];

/**
 * Stacks as a picture: a frame is as wide as its time, and stands below its caller. SVG text with nothing to load.
 *
 * @param unit of the times, such as `ms per answer`
 */
export function flameGraph(title: string, unit: string, stacks: FoldedStacks): string {
  const root: Frame = { name: title, ms: 0, callees: new Map() };
  for (const [stack, ms] of Object.entries(stacks)) {
    root.ms += ms;
    let at = root;
    for (const name of stack.split(';')) {
      const callee = at.callees.get(name) ?? { name, ms: 0, callees: new Map() };
      callee.ms += ms;
      at.callees.set(name, callee);
      at = callee;
    }
  }
  const drawn: string[] = [];
  const depth = draw(root, 0, 0, 0);
  const height = (depth + 1) * rowHeight;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');

  /** @returns the depth of its deepest callee */
  function draw(frame: Frame, left: number, row: number, colour: number): number {
    const wide = (frame.ms / root.ms) * width;
    const [x, y] = [round(left), row * rowHeight];
    const shown = `${frame.name}, ${frame.ms.toPrecision(3)} ${unit}`;
    const room = Math.floor((wide - 6) / characterWidth);
    drawn.push(
      `<g><title>${escaped(shown)}</title>`,
      `<rect x="${x}" y="${y}" width="${round(wide)}" height="${rowHeight}" fill="${colours[colour % colours.length]}" stroke="white"/>`,
      ...(room < 3 ? [] : [`<text x="${x + 3}" y="${y + 13}">${escaped(cut(shown, room))}</text>`]),
      '</g>',
    );
    let deepest = row;
    let from = left;
    const callees = [...frame.callees.values()].toSorted((one, other) => other.ms - one.ms);
    for (const [index, callee] of callees.entries()) {
      const calleeWidth = (callee.ms / root.ms) * width;
      if (calleeWidth < leastWidth) break;
      deepest = Math.max(deepest, draw(callee, from, row + 1, row === 0 ? index : colour));
      from += calleeWidth;
    }
    return deepest;
  }
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
