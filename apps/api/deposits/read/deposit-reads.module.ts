import { type DynamicModule, Module } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import type { Partners } from '#partners';
import { AUTHENTICATE } from '../../parts.ts';
import { READ_ROUTES, type ReadRoutesParts } from './parts.ts';
import { ReadDepositsController } from './read.controller.ts';

export type DepositReadsParts = Pick<ReadRoutesParts, 'reads'> & {
  readonly partners: Pick<Partners, 'authenticate' | 'authenticateOperator' | 'casinoFor'>;
};

/** The routes of partners that read deposits. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class DepositReadsModule {
  static with({ partners, reads }: DepositReadsParts): DynamicModule {
    const routes: ReadRoutesParts = { reads, casinoFor: partners.casinoFor };
    return {
      module: DepositReadsModule,
      controllers: [ReadDepositsController],
      providers: [
        { provide: AUTHENTICATE, useValue: partners.authenticate },
        { provide: AUTHENTICATE_OPERATOR, useValue: partners.authenticateOperator },
        { provide: READ_ROUTES, useValue: routes },
      ],
    };
  }
}
