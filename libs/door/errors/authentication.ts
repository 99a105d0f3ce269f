import { shown } from './shown-error.ts';

/** Authentication and scope, on any authenticated endpoint. */
export const authenticationErrors = {
  missing: () => shown(401, 'Token or API key missing'),
  invalidKeyFormat: () => shown(401, 'Invalid API key format'),
  invalidKey: () => shown(401, 'Invalid API key'),
  keyExpired: () => shown(401, 'API key has expired'),
  keyInactive: () => shown(401, 'API key is inactive'),
  keyRevoked: () => shown(401, 'API key is revoked'),
  keyWithoutAffiliate: () => shown(401, 'API key has no affiliate'),
  affiliateNotFound: () => shown(401, 'Affiliate not found'),
  affiliateWithoutUser: () => shown(401, 'Affiliate has no user'),
  userNotFound: () => shown(401, 'User not found'),
  invalidToken: () => shown(401, 'Invalid or expired token'),
  tokenRevoked: () => shown(401, 'Token has been revoked'),
  affiliateDisabled: () => shown(403, 'Affiliate account is disabled'),
  affiliateArchived: () => shown(403, 'Affiliate account is archived'),
  insufficientPermissions: () => shown(403, 'Insufficient permissions for this endpoint'),
} as const;

/** Which casino and which deposit a key may touch. */
export const scopeErrors = {
  otherEntity: () => shown(403, 'API key is scoped to a different entity'),
  entityNotFound: () => shown(404, 'Entity not found for this affiliate'),
  entityDisabled: (status: string) => shown(403, `Entity status is '${status}', must be 'active' or 'enabled'`),
  depositNotFound: () => shown(404, 'Deposit not found'),
  invalidDepositId: () => shown(400, 'Invalid deposit ID'),
  entityIdRequired: () => shown(400, 'entity_id is required'),
  invalidEntityId: () => shown(400, 'Invalid entity_id'),
} as const;
