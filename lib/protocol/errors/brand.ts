/** Whether a value has the brand of a class, which all copies of the class share (`Symbol.for`). */
export function isBranded(value: unknown, brand: symbol): boolean {
  return typeof value === 'object' && value !== null && brand in value;
}
