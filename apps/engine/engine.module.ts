import { type DynamicModule, Module } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import type { AuthenticateOperator } from '#partners';
import { type EngineRoutes, SIMULATE, TAKE_SIGNALS } from './parts.ts';
import { SignalsController } from './signals/signals.controller.ts';
import { SimulateController } from './simulate/simulate.controller.ts';

export type EngineParts = EngineRoutes & { readonly authenticateOperator: AuthenticateOperator };

/** Where the payment engine reports, and where the simulated one is told what to play. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class EngineModule {
  static with({ authenticateOperator, takeSignals, simulate }: EngineParts): DynamicModule {
    return {
      module: EngineModule,
      controllers: [SignalsController, SimulateController],
      providers: [
        { provide: AUTHENTICATE_OPERATOR, useValue: authenticateOperator },
        { provide: TAKE_SIGNALS, useValue: takeSignals },
        { provide: SIMULATE, useValue: simulate },
      ],
    };
  }
}
