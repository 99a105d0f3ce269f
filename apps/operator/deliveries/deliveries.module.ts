import { type DynamicModule, Module } from '@nestjs/common';
import type pg from 'pg';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import type { AuthenticateOperator } from '#partners';
import { DELIVERIES_POOL, DeliveriesController } from './deliveries.controller.ts';

export type DeliveriesParts = { readonly pool: pg.Pool; readonly authenticateOperator: AuthenticateOperator };

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class DeliveriesModule {
  static with({ pool, authenticateOperator }: DeliveriesParts): DynamicModule {
    return {
      module: DeliveriesModule,
      controllers: [DeliveriesController],
      providers: [
        { provide: DELIVERIES_POOL, useValue: pool },
        { provide: AUTHENTICATE_OPERATOR, useValue: authenticateOperator },
      ],
    };
  }
}
