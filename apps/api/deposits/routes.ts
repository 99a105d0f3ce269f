import type { DynamicModule } from '@nestjs/common';
import { type KeyedPartners, keyedRoutes } from '../parts.ts';
import { CreateDepositController } from './create/create.controller.ts';
import { DecideController } from './decide/decide.controller.ts';
import { DEPOSIT_ROUTES, type DepositRoutesParts } from './parts.ts';

type Parts = Omit<DepositRoutesParts, 'casinoFor'> & {
  readonly partners: KeyedPartners & Pick<DepositRoutesParts, 'casinoFor'>;
};

/** The routes of partners that make deposits and decide on them. */
export const depositRoutes = ({ partners, ...rest }: Parts): DynamicModule =>
  keyedRoutes(partners, [CreateDepositController, DecideController], {
    [DEPOSIT_ROUTES]: { casinoFor: partners.casinoFor, ...rest } satisfies DepositRoutesParts,
  });
