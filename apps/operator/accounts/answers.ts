import { answersTo, appliedOr } from '#door/answers';
import { accountErrors, type AccountSubject as Called } from '#door/errors';
import type { AccountOutcome, AccountRefusal, AccountSubject } from '#partners';

const calledBy = {
  affiliate: 'Affiliate',
  entity: 'Entity',
  api_key: 'API key',
  operator_token: 'Token',
  access_token: 'Access token',
} as const satisfies Readonly<Record<AccountSubject, Called>>;

const refused = answersTo<AccountRefusal>({
  not_found: ({ subject }) => accountErrors.notFound(calledBy[subject]),
  entity_of_another: accountErrors.entityOfAnother,
  entity_cannot_move: accountErrors.entityCannotMove,
  key_is_revoked: accountErrors.keyIsRevoked,
  webhook_url_is_masked: accountErrors.webhookUrlIsMasked,
  too_many_overlaps: ({ most }) => accountErrors.tooManyOverlaps(most),
  no_webhook_to_sign: ({ subject }) => accountErrors.noWebhookToSign(calledBy[subject]),
});

/** What a change made of it, or why it was refused. */
export const changed = <Item>(outcome: AccountOutcome<Item>): Item =>
  appliedOr<AccountOutcome<Item>>({ refused: ({ refusal }) => refused(refusal) })(outcome).item;

/** What was looked for, or the 404. */
export const found = <Item>(called: Called, item: Item | undefined): Item => {
  if (item === undefined) throw accountErrors.notFound(called);
  return item;
};
