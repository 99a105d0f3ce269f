import { type DynamicModule, Module } from '@nestjs/common';
import type { AuthenticateOperator } from '#partners';
import { AUTHENTICATE_OPERATOR } from '../operator/access/index.ts';
import { ReturnsController } from './returns/returns.controller.ts';
import { KeptSignalsController } from './signals/kept-signals.controller.ts';
import { SignalsController } from './signals/signals.controller.ts';
import { SimulateController } from './simulate/simulate.controller.ts';
import { type EngineRoutes, LIST_RETURNS, LIST_SIGNALS, SIMULATE, TAKE_SIGNALS } from './tokens.ts';

export type EngineParts = EngineRoutes & { readonly authenticateOperator: AuthenticateOperator };

/** Where the payment engine reports, and what operators see of it. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class EngineModule {
  static with({ authenticateOperator, takeSignals, listSignals, listReturns, simulate }: EngineParts): DynamicModule {
    return {
      module: EngineModule,
      controllers: [SignalsController, SimulateController, KeptSignalsController, ReturnsController],
      providers: [
        { provide: AUTHENTICATE_OPERATOR, useValue: authenticateOperator },
        { provide: TAKE_SIGNALS, useValue: takeSignals },
        { provide: LIST_SIGNALS, useValue: listSignals },
        { provide: LIST_RETURNS, useValue: listReturns },
        { provide: SIMULATE, useValue: simulate },
      ],
    };
  }
}
