/** A line of a plot: its points are positive, since both axes are logarithmic. */
export type Line = { readonly name: string; readonly points: readonly (readonly [x: number, y: number])[] };

const size = { width: 720, height: 420, left: 64, right: 190, top: 44, bottom: 52 };
/** Told apart by people who see no difference between red and green, too. */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#000000'];

/** Lines over logarithmic axes, as SVG text with nothing to load. */
export function plot(title: string, axes: { x: string; y: string }, lines: readonly Line[]): string {
  const all = lines.flatMap(({ points }) => points);
  const x = scale(
    all.map(([value]) => value),
    size.left,
    size.width - size.right,
  );
  const y = scale(
    all.map(([, value]) => value),
    size.height - size.bottom,
    size.top,
  );
  const body = [
    `<text x="${size.left}" y="24" font-size="15">${title}</text>`,
    ...x.ticks.map((tick) => grid(x.at(tick), size.top, x.at(tick), size.height - size.bottom)),
    ...y.ticks.map((tick) => grid(size.left, y.at(tick), size.width - size.right, y.at(tick))),
    ...x.ticks.map((tick) => label(x.at(tick), size.height - size.bottom + 18, 'middle', tick)),
    ...y.ticks.map((tick) => label(size.left - 8, y.at(tick) + 4, 'end', tick)),
    label((size.left + size.width - size.right) / 2, size.height - 10, 'middle', axes.x),
    label(size.left, size.top - 8, 'start', axes.y),
    ...lines.flatMap(({ name, points }, index) => {
      const colour = colours[index % colours.length];
      const place = points.map(([px, py]) => `${round(x.at(px))},${round(y.at(py))}`);
      return [
        `<polyline points="${place.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        ...place.map(
          (at) => `<circle cx="${at.split(',')[0]}" cy="${at.split(',')[1]}" r="3" fill="${colour}"/>`,
        ),
        `<text x="${size.width - size.right + 10}" y="${size.top + 18 * index + 12}" fill="${colour}">${name}</text>`,
      ];
    }),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${size.width}" height="${size.height}" fill="white"/>`,
    ...body,
    '</svg>\n',
  ].join('\n');
}

/** Powers of ten around the values, and where a value lies between two ends. */
function scale(values: readonly number[], from: number, to: number) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step)),
    at: (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
  };
}

function grid(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="#ddd"/>`;
}

function label(x: number, y: number, anchor: string, text: string | number): string {
  const written =
    typeof text === 'number' ? text.toLocaleString('en-US', { maximumFractionDigits: 3 }) : text;
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${written}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
