import type { DynamicModule } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import { routesOf } from '#door/http';
import type { AuthenticateOperator } from '#partners';
import { KeptSignalsController } from './kept-signals.controller.ts';
import { LIST_RETURNS, LIST_SIGNALS, type ListReturns, type ListSignals } from './parts.ts';
import { ReturnsController } from './returns.controller.ts';

export type EngineRecordsParts = {
  readonly authenticateOperator: AuthenticateOperator;
  readonly listSignals: ListSignals;
  readonly listReturns: ListReturns;
};

/** What operators see of the payment engine: the signals that it took, the returns that it sends. */
export const engineRecordRoutes = ({
  authenticateOperator,
  listSignals,
  listReturns,
}: EngineRecordsParts): DynamicModule =>
  routesOf([KeptSignalsController, ReturnsController], {
    [AUTHENTICATE_OPERATOR]: authenticateOperator,
    [LIST_SIGNALS]: listSignals,
    [LIST_RETURNS]: listReturns,
  });
