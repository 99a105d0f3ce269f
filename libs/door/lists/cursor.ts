import { schemaMismatch } from '../errors/index.ts';

/** The place that `read` finds in a next_cursor of the same list. */
export const cursorIn = <Place>(
  text: string | undefined,
  read: (text: string) => Place | undefined,
): Place | undefined => {
  if (text === undefined) return undefined;
  const place = read(text);
  if (place === undefined)
    throw schemaMismatch([{ path: ['cursor'], message: 'is not a next_cursor that this list gave' }]);
  return place;
};
