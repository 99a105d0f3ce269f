import { isStorable } from '#door/rules';
import type { Claims } from './role-of.ts';

/** As that of a token: it stands in each line of the log that is his, and in the audit trail. */
const LONGEST = 255;

/** By whole characters, of which one takes up to two of a string's length. */
const cut = (name: string): string =>
  Array.from(name.slice(0, 2 * LONGEST))
    .slice(0, LONGEST)
    .join('');

/** What a person is called by his provider: a label, which is passed over where it cannot be kept, and cut where it is long. */
export const nameOf = ({ name, preferred_username, email }: Claims): string | null => {
  const found = [name, preferred_username, email].find(
    (one): one is string => typeof one === 'string' && one !== '' && isStorable(one),
  );
  return found === undefined ? null : cut(found);
};
