import type { DynamicModule } from '@nestjs/common';
import { routesOf } from '#door/http';
import type { Accounts } from '#partners';
import { AccessTokensController } from './access-tokens/access-tokens.controller.ts';
import { AffiliatesController } from './affiliates/affiliates.controller.ts';
import { ApiKeysController } from './api-keys/api-keys.controller.ts';
import { AuditTrailController } from './audit-trail/audit-trail.controller.ts';
import { CasinosController } from './entities/casinos.controller.ts';
import { EntitiesController } from './entities/entities.controller.ts';
import { ACCOUNTS } from './parts.ts';
import { TokensController } from './tokens/tokens.controller.ts';
import { WebhookSecretsController } from './webhook/webhook-secrets.controller.ts';

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
export const accountRoutes = (accounts: Accounts): DynamicModule => routesOf(controllers, { [ACCOUNTS]: accounts });
