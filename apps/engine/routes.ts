import type { DynamicModule } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import { routesOf } from '#door/http';
import type { AuthenticateOperator } from '#partners';
import { type EngineRoutes, SIMULATE, TAKE_SIGNALS } from './parts.ts';
import { SignalsController } from './signals/signals.controller.ts';
import { SimulateController } from './simulate/simulate.controller.ts';

export type EngineParts = EngineRoutes & { readonly authenticateOperator: AuthenticateOperator };

/** Where the payment engine reports, and where the simulated one is told what to play. */
export const engineRoutes = ({ authenticateOperator, takeSignals, simulate }: EngineParts): DynamicModule =>
  routesOf([SignalsController, SimulateController], {
    [AUTHENTICATE_OPERATOR]: authenticateOperator,
    [TAKE_SIGNALS]: takeSignals,
    [SIMULATE]: simulate,
  });
