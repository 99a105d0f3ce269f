/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** RFC 4180. A number may begin with a minus; a text that a program would run begins with an apostrophe from here on. */
const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return quoted(FORMULA.test(text) ? `'${text}` : text);
};

export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`;
