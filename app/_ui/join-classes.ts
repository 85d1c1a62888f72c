/** Class names that apply, as one attribute value. */
export function joinClasses(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => name !== undefined && name !== false && name !== '').join(' ');
}
