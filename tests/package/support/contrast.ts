/** A colour as the browser computed it: red, green and blue from 0 to 255, alpha from 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

/**
 * Reads `rgb(…)` and `rgba(…)`, the forms in which Chromium gives a computed sRGB colour.
 *
 * @throws Error for any other form
 */
export function parseColour(computed: string): Colour {
  const [, list] = /^rgba?\(([^)]+)\)$/.exec(computed) ?? [];
  const [red, green, blue, alpha = 1] = list?.split(/[,/\s]+/).map(Number) ?? [];
  if (red === undefined || green === undefined || blue === undefined) {
    throw new Error(`Not a computed sRGB colour: ${computed}`);
  }
  return [red, green, blue, alpha];
}

/** The colour that is seen where one lies over an opaque one. */
export function over([red, green, blue, alpha]: Colour, below: Colour): Colour {
  const mix = (top: number, bottom: number) => top * alpha + bottom * (1 - alpha);
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2]), 1];
}

/** @returns relative luminance, from 0 (black) to 1 (white) @source WCAG 2.2 "relative luminance" */
export function luminanceOf([red, green, blue]: Colour): number {
  const linear = (channel: number) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** @returns from 1 (the same) to 21 (black on white) @source WCAG 2.2 "contrast ratio" */
export function contrastOf(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}
