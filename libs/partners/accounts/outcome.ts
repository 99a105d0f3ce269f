import { type Refused, refused } from '#deposits';

/** What an operator may ask for that is not there, in the words of the audit trail. */
export type AccountSubject = 'affiliate' | 'entity' | 'api_key' | 'operator_token' | 'access_token';

export type AccountRefusal =
  | { readonly refusal: 'not_found'; readonly subject: AccountSubject }
  | { readonly refusal: 'entity_of_another' | 'entity_cannot_move' | 'key_is_revoked' | 'webhook_url_is_masked' }
  | { readonly refusal: 'no_webhook_to_sign'; readonly subject: 'entity' | 'api_key' }
  | { readonly refusal: 'too_many_overlaps'; readonly most: number };

/** What a change came to. */
export type AccountOutcome<Item> = { readonly outcome: 'applied'; readonly item: Item } | Refused<AccountRefusal>;

export const changed = <Item>(item: Item): AccountOutcome<Item> => ({ outcome: 'applied', item });

export const notFound = (subject: AccountSubject): Refused<AccountRefusal> =>
  refused({ refusal: 'not_found', subject });

/** What this very transaction has written is there. */
export const written = async <Item>(item: Promise<Item | undefined>): Promise<Item> => {
  const found = await item;
  if (found === undefined) throw new Error('a row that was just written did not come back');
  return found;
};
