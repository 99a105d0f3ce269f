/** What a spreadsheet would take for a formula. A number may begin with a minus. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** RFC 4180. A text that a program would run begins with an apostrophe from here on. */
const cell = (value: unknown): string => {
  const text = textOf(value);
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`;
