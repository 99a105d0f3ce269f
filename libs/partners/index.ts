export { type Change, recordChange } from './accounts/audit.ts';
export {
  type CreatedKey,
  createAffiliate,
  createApiKey,
  createEntity,
  type NewAffiliate,
  type NewApiKey,
  type NewEntity,
} from './accounts/create.ts';
export type { Demonstration } from './accounts/demonstration.ts';
export { WrongSecretsKey } from './accounts/installation.ts';
export { type ApiKey, type Authenticate, requireAdminScope } from './authentication/authenticate.ts';
export { createKeyHash, type KeyHash } from './authentication/key-hash.ts';
export type { KeyMode, KeyScope } from './authentication/key-record.ts';
export type { EntityDescription, KeyDescription, WebhookDescription } from './describe-key.ts';
export { migrations } from './migrations.ts';
export { type AuthenticateOperator, actorOf, type Operator, type OperatorRole } from './operators/operator.ts';
export { openPartners, type Partners, type PartnersOptions } from './partners.ts';
