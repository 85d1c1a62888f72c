/**
 * Whether a text fits a JSON Schema pattern. Only patterns that this library knows are evaluated: any other one may come from another
 * server, and could stop the page for hours. A text for such a pattern fits here, and the server checks it.
 *
 * @source ADR 0053
 */
export function fits(text: string, pattern: string): boolean {
  return !isKnownPattern(pattern) || new RegExp(pattern, 'u').test(text);
}

/** Whether a pattern is one of those that Zod writes for dates and times, or a currency's. */
export function isKnownPattern(pattern: string): boolean {
  return known.has(pattern.replace(/\\[.]\\d[{]\d[}]/, String.raw`\.\d{3}`));
}

const minutes = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const seconds = String.raw`${minutes}:[0-5]\d`;
const fraction = String.raw`${seconds}\.\d{3}`;
const times = [
  minutes,
  seconds,
  fraction,
  String.raw`${minutes}(?::[0-5]\d(?:\.\d+)?)?`,
  String.raw`${seconds}(?:\.\d+)?`,
];
const zones = ['Z', String.raw`Z|([+-](?:[01]\d|2[0-3]):[0-5]\d)`];
const date = String.raw`(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))`;

const known: ReadonlySet<string> = new Set([
  '^[A-Z]{3}$',
  `^${date}$`,
  ...times.flatMap((time) => [`^${time}$`, ...zones.map((zone) => `^${date}T(?:${time}(?:${zone}))$`)]),
]);
