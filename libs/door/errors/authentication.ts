import { shown } from './shown-error.ts';

/** Authentication and scope, on any authenticated endpoint. */
export const authenticationErrors = {
  missing: () => shown(401, 'Token or API key missing', { code: 'credential_missing' }),
  invalidKeyFormat: () => shown(401, 'Invalid API key format', { code: 'api_key_malformed' }),
  invalidKey: () => shown(401, 'Invalid API key', { code: 'api_key_unknown' }),
  keyExpired: () => shown(401, 'API key has expired', { code: 'api_key_expired' }),
  keyInactive: () => shown(401, 'API key is inactive', { code: 'api_key_inactive' }),
  keyRevoked: () => shown(401, 'API key is revoked', { code: 'api_key_revoked' }),
  keyWithoutAffiliate: () => shown(401, 'API key has no affiliate', { code: 'api_key_without_affiliate' }),
  affiliateNotFound: () => shown(401, 'Affiliate not found', { code: 'affiliate_not_found' }),
  affiliateWithoutUser: () => shown(401, 'Affiliate has no user', { code: 'affiliate_without_user' }),
  userNotFound: () => shown(401, 'User not found', { code: 'user_not_found' }),
  invalidToken: () => shown(401, 'Invalid or expired token'),
  tokenRevoked: () => shown(401, 'Token has been revoked', { code: 'token_revoked' }),
  affiliateDisabled: () => shown(403, 'Affiliate account is disabled', { code: 'affiliate_disabled' }),
  affiliateArchived: () => shown(403, 'Affiliate account is archived', { code: 'affiliate_archived' }),
  insufficientPermissions: () =>
    shown(403, 'Insufficient permissions for this endpoint', { code: 'insufficient_permissions' }),
} as const;

/** Which casino and which deposit a key may touch. */
export const scopeErrors = {
  otherEntity: () => shown(403, 'API key is scoped to a different entity', { code: 'api_key_of_another_entity' }),
  entityNotFound: () => shown(404, 'Entity not found for this affiliate', { code: 'entity_not_found' }),
  entityDisabled: (status: string) =>
    shown(403, `Entity status is '${status}', must be 'active' or 'enabled'`, { code: 'entity_disabled' }),
  depositNotFound: () => shown(404, 'Deposit not found', { code: 'deposit_not_found' }),
  invalidDepositId: () => shown(400, 'Invalid deposit ID', { code: 'deposit_id_invalid' }),
  entityIdRequired: () => shown(400, 'entity_id is required', { code: 'entity_id_required' }),
  invalidEntityId: () => shown(400, 'Invalid entity_id', { code: 'entity_id_invalid' }),
} as const;
