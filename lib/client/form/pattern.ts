/** Whether a text fits a JSON Schema pattern. One that this browser cannot compile fits: the server checks it. */
export function fits(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}
