import type { Page } from 'playwright-core';

/** What a reset can change on an element: its box, its paint and its text. */
const properties = [
  ...['display', 'position', 'width', 'height', 'opacity', 'list-style-type'],
  ...['color', 'background-color', 'background-image', 'box-shadow', 'resize', 'cursor'],
  ...['border-top', 'border-right', 'border-bottom', 'border-left', 'border-radius', 'outline'],
  ...['margin', 'padding', 'gap', 'font', 'letter-spacing', 'text-align', 'text-decoration', 'white-space'],
];

/**
 * Reads how the browser paints our parts, once their animations have ended. Radio buttons and checkboxes, which the
 * system paints, are left out.
 *
 * @returns one line for each element and property, in document order
 */
export function paintedParts(page: Page): Promise<string[]> {
  return page.evaluate((names) => {
    for (const animation of document.getAnimations()) animation.finish();
    const elements = document.querySelectorAll('[data-countersign], [data-countersign] *');
    const painted = [...elements].filter((element) => !element.matches('[type=radio], [type=checkbox]'));
    return painted.flatMap((element, index) => {
      const style = getComputedStyle(element);
      const part = element.closest('[data-countersign]')?.getAttribute('data-countersign');
      const name = `${index} ${part} ${element.localName}`;
      return names.map((property) => {
        // A border without a width is not painted, whatever its style.
        const value = style.getPropertyValue(property).replace(/^0px (none|solid) .*/, '0px');
        return `${name} { ${property}: ${value} }`;
      });
    });
  }, properties);
}
