import type { DynamicModule } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { commandsOn } from '#deposit-commands/cqrs';
import { type Ground, openDesk, type ServiceDesk } from '#ground';
import type { MadeTokens } from '#partners';
import { DepositCommandsModule } from '../commands/index.ts';
import { createHttpApp, drainOnStop, listen, ObservabilityModule } from '../http/index.ts';
import { serveDocs } from '../openapi/index.ts';
import type { App, OpenApp } from './app.ts';

class ProcessModule {}

const moduleOf = (
  { health, metrics }: Ground,
  opened: readonly OpenApp[],
  desk: ServiceDesk | undefined,
): DynamicModule => ({
  module: ProcessModule,
  imports: [
    ObservabilityModule.with(health, metrics),
    ...(desk ? [DepositCommandsModule.with(desk.commands)] : []),
    ...opened.flatMap(({ routes = [] }) => routes),
  ],
});

const started = (nest: NestFastifyApplication | undefined): NestFastifyApplication => {
  if (!nest) throw new Error('a command came before the app was made');
  return nest;
};

export type Served = { readonly url: string; readonly tokens: MadeTokens; readonly hasDoor: boolean };

/**
 * Opens everything that answers and everything that follows. It listens last: whoever reaches it finds the tokens in
 * force that its settings name.
 */
export const serve = async (apps: readonly App[], ground: Ground): Promise<Served> => {
  const { configuration, lifecycle, logger, metrics, partners } = ground;
  let nest: NestFastifyApplication | undefined;
  let url = configuration.publicUrl;
  let opening: Promise<ServiceDesk> | undefined;
  const desk = (): Promise<ServiceDesk> => {
    opening ??= openDesk(ground, () => url ?? '');
    return opening;
  };
  const commands = commandsOn(() => started(nest).get(CommandBus, { strict: false }));
  const opened: OpenApp[] = [];
  for (const app of apps) opened.push(await app.open({ ground, desk, commands }));
  nest = await createHttpApp(moduleOf(ground, opened, await opening), { logger, metrics });
  const hasDoor = opened.some(({ routes = [] }) => routes.length > 0);
  if (hasDoor) serveDocs(nest, Object.assign({}, ...opened.map(({ told }) => told)));
  await nest.init();
  for (const { start } of opened) start?.();
  const tokens = hasDoor ? await partners.prepareTokens(configuration.tokens) : {};
  const listening = await listen(nest, configuration.http);
  url ??= listening;
  drainOnStop(nest, lifecycle);
  return { url: listening, tokens, hasDoor };
};
