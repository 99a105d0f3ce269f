import type { DynamicModule } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import { routesOf } from '#door/http';
import type { Partners } from '#partners';
import { AccessTokensController } from './access-tokens/access-tokens.controller.ts';
import { AffiliatesController } from './affiliates/affiliates.controller.ts';
import { ApiKeysController } from './api-keys/api-keys.controller.ts';
import { AuditTrailController } from './audit-trail/audit-trail.controller.ts';
import { CasinosController } from './entities/casinos.controller.ts';
import { EntitiesController } from './entities/entities.controller.ts';
import { ACCOUNTS } from './parts.ts';
import { TokensController } from './tokens/tokens.controller.ts';
import { WebhookSecretsController } from './webhook/webhook-secrets.controller.ts';

export type AccountsParts = { readonly partners: Pick<Partners, 'accounts' | 'authenticateOperator'> };

const controllers = [
  AffiliatesController,
  AccessTokensController,
  EntitiesController,
  CasinosController,
  ApiKeysController,
  WebhookSecretsController,
  TokensController,
  AuditTrailController,
];

/** Accounts, for those who may set them up, and the trail of every change. */
export const accountRoutes = ({ partners }: AccountsParts): DynamicModule =>
  routesOf(controllers, { [ACCOUNTS]: partners.accounts, [AUTHENTICATE_OPERATOR]: partners.authenticateOperator });
