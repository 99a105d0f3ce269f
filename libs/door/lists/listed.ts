import type { Listed } from '#read-models';
import { readErrors } from '../errors/index.ts';

/** The list, or the 503 of one that would show what is old. */
export const listed = <List>(read: Listed<List>): List => {
  if (read.outcome === 'behind') throw readErrors.listBehind();
  return read.list;
};
