/** A value that cannot be stored: nothing of the statement is, and it is for no lack of a server. */
export const isOfOneRow = (error: unknown): boolean => {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^2[23]/.test(code);
};
