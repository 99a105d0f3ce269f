import type { DynamicModule } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import { routesOf } from '#door/http';
import type { AuthenticateOperator } from '#partners';
import { DepositHistoryController } from './deposit-history.controller.ts';
import { OperatorDepositsController } from './deposits.controller.ts';
import { OPERATOR_DEPOSITS, type OperatorDepositsParts } from './parts.ts';
import { SettlementsController } from './settlements.controller.ts';
import { StatsController } from './stats.controller.ts';

export type OperatorDepositsModuleParts = OperatorDepositsParts & {
  readonly authenticateOperator: AuthenticateOperator;
};

/** What operators see of deposits and decide about them. */
export const operatorDepositRoutes = ({ authenticateOperator, ...parts }: OperatorDepositsModuleParts): DynamicModule =>
  routesOf([OperatorDepositsController, DepositHistoryController, SettlementsController, StatsController], {
    [AUTHENTICATE_OPERATOR]: authenticateOperator,
    [OPERATOR_DEPOSITS]: parts,
  });
