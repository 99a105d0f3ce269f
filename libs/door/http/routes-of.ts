import type { DynamicModule, Type } from '@nestjs/common';

/** A module of the framework: controllers, and what they are given, by its name. */
export const routesOf = (
  controllers: readonly Type<object>[],
  given: Readonly<Record<symbol, unknown>>,
): DynamicModule => ({
  module: class Routes {},
  controllers: [...controllers],
  providers: Object.getOwnPropertySymbols(given).map((provide) => ({ provide, useValue: given[provide] })),
});
