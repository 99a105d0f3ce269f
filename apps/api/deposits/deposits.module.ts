import { type DynamicModule, Module } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import type { Partners } from '#partners';
import { AUTHENTICATE } from '../parts.ts';
import { CreateDepositController } from './create/create.controller.ts';
import { DecideController } from './decide/decide.controller.ts';
import { DEPOSIT_ROUTES, type DepositRoutesParts } from './parts.ts';

export type DepositsParts = Pick<DepositRoutesParts, 'untilVisible'> & {
  readonly partners: Pick<Partners, 'authenticate' | 'authenticateOperator' | 'casinoFor'>;
};

/** The routes of partners that make deposits and decide on them. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class DepositsModule {
  static with({ partners, untilVisible }: DepositsParts): DynamicModule {
    const routes: DepositRoutesParts = { casinoFor: partners.casinoFor, untilVisible };
    return {
      module: DepositsModule,
      controllers: [CreateDepositController, DecideController],
      providers: [
        { provide: AUTHENTICATE, useValue: partners.authenticate },
        { provide: AUTHENTICATE_OPERATOR, useValue: partners.authenticateOperator },
        { provide: DEPOSIT_ROUTES, useValue: routes },
      ],
    };
  }
}
