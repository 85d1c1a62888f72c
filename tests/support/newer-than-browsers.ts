/**
 * What Chrome 111, Firefox 111 or Safari 16.4 lacks, by the object that has it, after MDN's browser compatibility data 8.1.9. Those
 * are the oldest browsers that are supported.
 */
export const newerThanBrowsers: Readonly<Record<string, readonly string[]>> = {
  AbortSignal: ['any'],
  Array: ['fromAsync'],
  'Array.prototype': ['toReversed', 'toSorted', 'toSpliced', 'with'],
  'Element.prototype': ['checkVisibility', 'getHTML', 'setHTMLUnsafe'],
  Error: ['isError'],
  'Headers.prototype': ['getSetCookie'],
  'HTMLElement.prototype': ['hidePopover', 'showPopover', 'togglePopover'],
  Intl: ['DurationFormat', 'Segmenter'],
  Iterator: ['concat', 'from', 'zip'],
  'Iterator.prototype': [
    ...['drop', 'every', 'filter', 'find', 'flatMap', 'forEach', 'map', 'reduce', 'some', 'take', 'toArray'],
  ],
  Map: ['groupBy'],
  'Map.prototype': ['getOrInsert', 'getOrInsertComputed'],
  Object: ['groupBy'],
  Promise: ['try', 'withResolvers'],
  'ReadableStream.prototype': ['values'],
  RegExp: ['escape'],
  Response: ['json'],
  'Set.prototype': [
    ...[
      'difference',
      'intersection',
      'isDisjointFrom',
      'isSubsetOf',
      'isSupersetOf',
      'symmetricDifference',
      'union',
    ],
  ],
  'String.prototype': ['isWellFormed', 'toWellFormed'],
  URL: ['canParse', 'parse'],
  Uint8Array: ['fromBase64', 'fromHex'],
  'Uint8Array.prototype': ['setFromBase64', 'toBase64', 'toHex'],
  globalThis: ['requestIdleCallback', 'scheduler'],
};
