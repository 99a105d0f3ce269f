import type { DynamicModule } from '@nestjs/common';
import { routesOf } from '#door/http';
import { LegacyAccountController } from './account.controller.ts';
import { LEGACY_ROUTES, type LegacyRoutesParts } from './parts.ts';
import { LegacyTransactionsController } from './transactions.controller.ts';

/** The older interface: its token comes in the body, so no guard can know the caller. */
export const legacyRoutes = (parts: LegacyRoutesParts): DynamicModule =>
  routesOf([LegacyTransactionsController, LegacyAccountController], { [LEGACY_ROUTES]: parts });
