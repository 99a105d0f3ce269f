import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Ground, ServiceDesk } from '#ground';
import type { Configuration } from '#platform/configuration';
import type { Lifecycle } from '#platform/lifecycle';
import { knowingOperators } from '../access/index.ts';
import { answeringCommands } from '../commands/index.ts';
import { createHttpApp, drainOnStop, healthRoutes, listen, metricsRoutes, type Place } from '../http/index.ts';
import { serveDocs, type ToldBeside } from '../openapi/index.ts';
import { limitFailingCalls } from '../rates/index.ts';
import type { App, OpenApp } from './app.ts';

export type Opened = OpenApp & { readonly door: App['door'] | undefined };

type DoorsParts = {
  readonly ground: Ground;
  readonly opened: readonly Opened[];
  readonly desk: ServiceDesk | undefined;
};

/** Where partners call, and where operators, engines and whoever scrapes metrics do: one place unless told. */
export const placesOf = ({ http, operatorHttp }: Pick<Configuration, 'http' | 'operatorHttp'>): readonly Place[] =>
  operatorHttp ? [http, { ...operatorHttp, settings: 'OPERATOR_' }] : [http];

const routesOf = (opened: readonly Opened[], door?: App['door']): readonly DynamicModule[] =>
  opened.filter((app) => door === undefined || app.door === door).flatMap(({ routes = [] }) => routes);

const madeWith = async (
  { ground, desk }: DoorsParts,
  routes: readonly DynamicModule[],
): Promise<NestFastifyApplication> => {
  const { configuration, health, logger, metrics, partners, pool } = ground;
  const { rates, trustedProxies } = configuration;
  const commands = desk ? [answeringCommands(desk.commands)] : [];
  const imports = [healthRoutes(health), knowingOperators(partners.authenticateOperator), ...commands, ...routes];
  const app = await createHttpApp(imports, { logger, metrics, trustedProxies });
  limitFailingCalls(app, { db: pool, logger, rates });
  return app;
};

export type Doors = {
  readonly partners: NestFastifyApplication;
  /** The same where OPERATOR_PORT is unset. */
  readonly operators: NestFastifyApplication;
};

export const makeDoors = async (parts: DoorsParts): Promise<Doors> => {
  const { ground, opened } = parts;
  const metrics = metricsRoutes(ground.metrics);
  if (!ground.configuration.operatorHttp) {
    const only = await madeWith(parts, [metrics, ...routesOf(opened)]);
    return { partners: only, operators: only };
  }
  const partners = await madeWith(parts, routesOf(opened, 'partners'));
  return { partners, operators: await madeWith(parts, [metrics, ...routesOf(opened, 'operators')]) };
};

/** The page is the operators' where they have a door of their own, and tells of the partners' all the same. */
export const serveDocsAt = ({ partners, operators }: Doors, told: ToldBeside, partnersUrl: () => string): void =>
  serveDocs(operators, told, partners === operators ? undefined : { app: partners, url: partnersUrl });

export const listenAt = async (
  { partners, operators }: Doors,
  places: readonly Place[],
  lifecycle: Lifecycle,
): Promise<{ readonly url: string; readonly operatorUrl: string }> => {
  const urls: string[] = [];
  for (const [n, door] of [...new Set([partners, operators])].entries()) {
    const place = places[n];
    if (!place) throw new Error('a door has no place');
    urls.push(await listen(door, place));
    drainOnStop(door, lifecycle);
  }
  const [url = '', operatorUrl = url] = urls;
  return { url, operatorUrl };
};
