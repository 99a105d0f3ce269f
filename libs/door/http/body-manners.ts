import type { Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Issue, ShownError } from '../errors/index.ts';

export type BodyManners = {
  /** Elsewhere what a GET brings is not looked at. */
  readonly alsoOnGet?: boolean;
  /** In place of the 400 of JSON that cannot be parsed. */
  readonly unreadable?: () => ShownError;
};

const manners = new WeakMap<object, BodyManners>();

/** How a route reads its body, where it does so in a way of its own. */
export const ReadsBody =
  (wanted: BodyManners): MethodDecorator =>
  (_target, _name, descriptor) => {
    if (typeof descriptor.value === 'function') manners.set(descriptor.value, wanted);
  };

export const mannersOf = (handler: object): BodyManners => manners.get(handler) ?? {};

const strict = new WeakSet<object>();

/** On a controller: a body that its routes want and that lacks the JSON content type is refused, and not taken for none. */
export const RefusesUntypedBodies = (): ClassDecorator => (controller) => {
  strict.add(controller);
};

/** Which of a route's parameters is given the body, if one is. */
const placeOfBody = (controller: Type<object>, method: string): string | undefined =>
  Object.keys(Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {})
    .find((place) => place.startsWith(`${RouteParamtypes.BODY}:`))
    ?.split(':')[1];

export const refusesUntyped = (controller: Type<object>, method: string): boolean =>
  strict.has(controller) && placeOfBody(controller, method) !== undefined;

/** The class that a route's body has to fit; none where the route takes none. */
export const classOfBody = (controller: Type<object>, method: string): Type<unknown> | undefined => {
  const place = placeOfBody(controller, method);
  return place === undefined
    ? undefined
    : Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype, method)[place];
};

type Refuse = (issues: readonly Issue[]) => ShownError;

const refusals = new WeakMap<object, Refuse>();

/** For a body whose misfit is another answer than the interface's validation error. */
export const MisfitIs =
  (refuse: Refuse): ClassDecorator =>
  (target) => {
    refusals.set(target, refuse);
  };

export const misfitOf = (type: object): Refuse | undefined => refusals.get(type);
