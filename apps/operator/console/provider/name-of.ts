import { isStorable } from '#door/rules';
import type { Claims } from './role-of.ts';

/** What a person is called by his provider: a label, which is passed over where it cannot be kept. */
export const nameOf = ({ name, preferred_username, email }: Claims): string | null =>
  [name, preferred_username, email].find(
    (one): one is string => typeof one === 'string' && one !== '' && isStorable(one),
  ) ?? null;
