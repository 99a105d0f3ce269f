import { SentWord, Time } from '#door/fields';

/** Whoever would rather see what is old than nothing, and be told how old it is. */
export const MayBeStale = () =>
  SentWord.optional(
    ['allow'],
    'allow: the rows as they are, also while their read model stands still; see as_of',
    'allow',
  );

export const AsOf = () =>
  Time.optional('With stale=allow: when the rows were written last', '2026-01-31T14:05:00.000Z');

type Dated = { readonly as_of?: string };

/** Told before the rows are read, so that they are never older than it says. */
export const datedWhere = async (
  stale: 'allow' | undefined,
  movedAt: () => Promise<Date | undefined>,
): Promise<Dated> => {
  const at = stale === undefined ? undefined : await movedAt();
  return at === undefined ? {} : { as_of: at.toISOString() };
};
