const rowText = 'A row of a report, with the words that a person reads. '.repeat(16);

/** In the last row of a report, and nowhere else. */
export const lastRow = 'the last row';

/** A report of about so many bytes of JSON: many rows of some fields, as tools return them. */
export function rowsOf(bytes: number) {
  const count = Math.max(2, Math.round(bytes / (rowText.length + 60)));
  return Array.from({ length: count }, (_, index) => ({
    id: index,
    title: index === count - 1 ? lastRow : `Row ${index}`,
    text: rowText,
    isOpen: index % 2 === 0,
  }));
}
