import { migrationsBeside } from '#platform/migrations';

export type { AffiliateItem } from './accounts/affiliates.ts';
export type { ApiKeyAnswer, ApiKeyItem } from './accounts/api-keys.ts';
export { recordChange } from './accounts/audit.ts';
export { type AuditPlace, auditTrailBreaks, auditTrailEnd, isAuditedBehind } from './accounts/audit-chain.ts';

export {
  createAffiliate,
  createApiKey,
  createEntity,
} from './accounts/create.ts';
export type { Demonstration } from './accounts/demonstration.ts';
export type { EntityAnswer } from './accounts/entities.ts';
export type { EntityItem } from './accounts/entity-item.ts';
export type { AccountOutcome, AccountRefusal, AccountSubject } from './accounts/outcome.ts';
export { type AccountIds, lastAccountIds, passOverAccountIds, raiseAccountIds } from './accounts/pass-over-ids.ts';
export type { WebhookShown } from './accounts/webhook-settings.ts';
export type { Accounts } from './accounts.ts';
export type { ApiKey, Authenticate, Authentication, KeyRefusal } from './authentication/authenticate.ts';
export { createKeyHash } from './authentication/key-hash.ts';
export { affiliateStatuses, keyModes, keyScopes, keyStatuses } from './authentication/key-record.ts';
export { type Casino, casinoStatuses } from './casinos/casino.ts';
export {
  type CasinoFor,
  type CasinoOutcome,
  type CasinoRefusal,
  isEnabled,
  isInScope,
  type Scope,
} from './casinos/casino-scope.ts';
export { sealedWebhookSecrets, UNREADABLE, type WebhookTarget } from './casinos/webhook-of.ts';
export type { KeyDescription } from './describe-key.ts';
export type { AccessToken, TokenAuthentication, TokenRefusal } from './legacy/access-token.ts';
export type { AccessTokenAnswer, AccessTokenItem } from './legacy/access-tokens.ts';
export { pruneTokens } from './legacy/prune.ts';
export type { Refreshed } from './legacy/refresh.ts';
export type { LegacyTokens } from './legacy/tokens.ts';
export { type Approval, type ApprovalState, type Approvals, approvalStates } from './operators/approvals.ts';
export {
  type Act,
  type AskChecks,
  type AuthenticateOperator,
  actorOf,
  type ConsoleSession,
  type Operator,
  type OperatorAuthentication,
  type OperatorRefusal,
  type OperatorRole,
  operatorRoles,
  type SessionSecret,
} from './operators/operator.ts';
export type { MadeTokens } from './operators/prepare-tokens.ts';
export type { SentAway } from './operators/sign-ins.ts';
export type { TokenAnswer, TokenItem } from './operators/tokens.ts';
export { openPartners, type Partners } from './partners.ts';
export { openSecrets } from './secrets-key/open-secrets.ts';
export { reseal } from './secrets-key/reseal.ts';
export { beginRotation, finishRotation, rotationState } from './secrets-key/rotation.ts';

export const migrations = migrationsBeside(import.meta.url, 'partners', ['audit_trail']);
