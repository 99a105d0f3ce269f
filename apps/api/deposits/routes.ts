import type { DynamicModule } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import { routesOf } from '#door/http';
import type { Partners } from '#partners';
import { AUTHENTICATE } from '../parts.ts';
import { CreateDepositController } from './create/create.controller.ts';
import { DecideController } from './decide/decide.controller.ts';
import { DEPOSIT_ROUTES, type DepositRoutesParts } from './parts.ts';

export type DepositsParts = Pick<DepositRoutesParts, 'phoneCheck'> & {
  readonly partners: Pick<Partners, 'authenticate' | 'authenticateOperator' | 'casinoFor'>;
};

/** The routes of partners that make deposits and decide on them. */
export const depositRoutes = ({ partners, ...rest }: DepositsParts): DynamicModule => {
  const routes: DepositRoutesParts = { casinoFor: partners.casinoFor, ...rest };
  return routesOf([CreateDepositController, DecideController], {
    [AUTHENTICATE]: partners.authenticate,
    [AUTHENTICATE_OPERATOR]: partners.authenticateOperator,
    [DEPOSIT_ROUTES]: routes,
  });
};
