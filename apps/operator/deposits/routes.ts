import type { DynamicModule } from '@nestjs/common';
import { routesOf } from '#door/http';
import { DepositHistoryController } from './deposit-history.controller.ts';
import { OperatorDepositsController } from './deposits.controller.ts';
import { OPERATOR_DEPOSITS, type OperatorDepositsParts } from './parts.ts';
import { SettlementsController } from './settlements.controller.ts';
import { StatsController } from './stats.controller.ts';

/** What operators see of deposits and decide about them. */
export const operatorDepositRoutes = (parts: OperatorDepositsParts): DynamicModule =>
  routesOf([OperatorDepositsController, DepositHistoryController, SettlementsController, StatsController], {
    [OPERATOR_DEPOSITS]: parts,
  });
