import type { DynamicModule } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import { routesOf } from '#door/http';
import type { Partners } from '#partners';
import { AUTHENTICATE } from '../../parts.ts';
import { READ_ROUTES, type ReadRoutesParts } from './parts.ts';
import { ReadDepositsController } from './read.controller.ts';

export type DepositReadsParts = Pick<ReadRoutesParts, 'reads'> & {
  readonly partners: Pick<Partners, 'authenticate' | 'authenticateOperator' | 'casinoFor'>;
};

/** The routes of partners that read deposits. */
export const readRoutes = ({ partners, reads }: DepositReadsParts): DynamicModule => {
  const routes: ReadRoutesParts = { reads, casinoFor: partners.casinoFor };
  return routesOf([ReadDepositsController], {
    [AUTHENTICATE]: partners.authenticate,
    [AUTHENTICATE_OPERATOR]: partners.authenticateOperator,
    [READ_ROUTES]: routes,
  });
};
