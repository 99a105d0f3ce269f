import { answersTo } from '#door/answers';
import { authenticationErrors } from '#door/errors';
import type { ApiKey, Authentication, KeyRefusal } from '#partners';
import { noteOfRequest } from '#platform/logging';

const answerTo = answersTo<KeyRefusal>({
  missing: authenticationErrors.missing,
  malformed: authenticationErrors.invalidKeyFormat,
  unknown: authenticationErrors.invalidKey,
  expired: authenticationErrors.keyExpired,
  inactive: authenticationErrors.keyInactive,
  revoked: authenticationErrors.keyRevoked,
  without_affiliate: authenticationErrors.keyWithoutAffiliate,
  affiliate_not_found: authenticationErrors.affiliateNotFound,
  affiliate_disabled: authenticationErrors.affiliateDisabled,
  affiliate_archived: authenticationErrors.affiliateArchived,
});

/** The credential (401), the affiliate (403), then the scope: "every casino endpoint needs scope `admin`." */
export const adminKey = (known: Authentication): ApiKey => {
  if (known.outcome === 'refused') throw answerTo(known.refusal);
  const { id, entityId } = known.key;
  noteOfRequest({ caller: `key ${id}`, ...(entityId !== null && { casino: entityId }) });
  if (known.key.scope !== 'admin') throw authenticationErrors.insufficientPermissions();
  return known.key;
};
