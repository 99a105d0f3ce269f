import { schemaMismatch } from '../errors/index.ts';
import { SentDigits, Text } from '../fields/index.ts';

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

export class PageBody {
  @Text.orNull('null: this is the last page', null)
  next_cursor!: string | null;
}

const MAX_LIMIT = 500;

export class PageQuery {
  @SentDigits.optional(`At most ${MAX_LIMIT}; default 100, of messages 500`, '100')
  limit?: string;

  @SentDigits.optional('next_cursor of the page before', '1200')
  cursor?: string;
}

export class AffiliatePageQuery extends PageQuery {
  @SentDigits.optional('Those of one affiliate', '3')
  affiliate_id?: string;
}

export const numberIn = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Number(digits);

/** A limit of 0 is the default, one above the maximum is the maximum. */
export const limitIn = ({ limit }: Pick<PageQuery, 'limit'>): number | undefined =>
  limit === undefined || Number(limit) === 0 ? undefined : Math.min(Number(limit), MAX_LIMIT);

export const pageIn = (page: PageQuery) => ({ limit: limitIn(page), cursor: numberIn(page.cursor) });
