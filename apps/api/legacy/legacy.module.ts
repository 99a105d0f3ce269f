import { type DynamicModule, Module } from '@nestjs/common';
import { LegacyAccountController } from './account.controller.ts';
import { LEGACY_ROUTES, type LegacyRoutesParts } from './parts.ts';
import { LegacyTransactionsController } from './transactions.controller.ts';

/** The older interface: its token comes in the body, so no guard can know the caller. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class LegacyModule {
  static with(parts: LegacyRoutesParts): DynamicModule {
    return {
      module: LegacyModule,
      controllers: [LegacyTransactionsController, LegacyAccountController],
      providers: [{ provide: LEGACY_ROUTES, useValue: parts }],
    };
  }
}
