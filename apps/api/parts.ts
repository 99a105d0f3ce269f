import type { DynamicModule, Type } from '@nestjs/common';
import { routesOf } from '#door/http';
import type { Partners } from '#partners';

export const AUTHENTICATE = Symbol('authenticate');

export type KeyedPartners = Pick<Partners, 'authenticate'>;

/** Routes that are called with a partner's key; an operator's token is told apart from none. */
export const keyedRoutes = (
  { authenticate }: KeyedPartners,
  controllers: readonly Type<object>[],
  given: Readonly<Record<symbol, unknown>>,
): DynamicModule => routesOf(controllers, { [AUTHENTICATE]: authenticate, ...given });
