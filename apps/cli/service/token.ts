import { usage } from '../parts/exit.ts';

/** A header with anything else in it would be refused, and shown with what refuses it. */
export const tokenIn = (text: string, named = 'this'): string => {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw usage(`${named} is no token: it has blanks, line breaks or letters that none has`);
};
