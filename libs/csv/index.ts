/**
 * Where a spreadsheet would begin a formula: at the start of a text and, as its separator may be any of these, behind
 * `;`, a tab or an end of line. Quotes there may be empty ones to it; an apostrophe that was sent gets one more, so that
 * whoever takes away those that this finds has the text as it was. The signs count in their full width too.
 */
const BEFORE_FORMULA =
  /^(?=['"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r])|(?<=[;\t\r\n])(?=['"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
/** A number may begin with a minus. */
const NUMBER = /^-?\d+(?:\.\d+)?$/;

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** RFC 4180. What a program would run of a text is behind an apostrophe from here on. */
const cell = (value: unknown): string => {
  const text = textOf(value);
  const harmless = NUMBER.test(text) ? text : text.replace(BEFORE_FORMULA, "'");
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`;
