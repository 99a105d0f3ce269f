import type { DynamicModule } from '@nestjs/common';
import { routesOf } from '#door/http';
import { type EngineRoutes, SIMULATE, TAKE_SIGNALS } from './parts.ts';
import { SignalsController } from './signals/signals.controller.ts';
import { SimulateController } from './simulate/simulate.controller.ts';

/** Where the payment engine reports, and where the simulated one is told what to play. */
export const engineRoutes = ({ takeSignals, simulate }: EngineRoutes): DynamicModule =>
  routesOf([SignalsController, SimulateController], {
    [TAKE_SIGNALS]: takeSignals,
    [SIMULATE]: simulate,
  });
