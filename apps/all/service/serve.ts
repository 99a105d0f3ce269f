import { CommandBus } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { commandsOn } from '#deposit-commands/cqrs';
import type { Position } from '#event-log';
import type { MadeTokens } from '#partners';
import { createHttpApp, drainOnStop, listen } from '#platform/http';
import { createWebhookClient } from '#webhooks';
import { serveDocs } from '../../api/openapi/serve-docs.ts';
import { allModule } from '../app.module.ts';
import type { Ground } from '../ground.ts';
import { openDesk, VISIBLE_WITHIN_MS } from './desk.ts';
import { openEngine, startEngine } from './engine.ts';
import { startFollowers } from './followers.ts';
import { openProjections } from './projections.ts';

const started = (app: NestFastifyApplication | undefined): NestFastifyApplication => {
  if (!app) throw new Error('a command came before the app was made');
  return app;
};

export type Served = { readonly url: string; readonly tokens: MadeTokens };

/**
 * Opens everything that answers and everything that follows. It listens last: whoever reaches it finds the tokens in
 * force that its settings name.
 */
export const serve = async (ground: Ground): Promise<Served> => {
  const { configuration, lifecycle, logger, metrics, partners } = ground;
  let app: NestFastifyApplication | undefined;
  let url = configuration.publicUrl;
  const commands = commandsOn(() => started(app).get(CommandBus, { strict: false }));
  const desk = await openDesk(ground, () => url ?? '');
  const projections = openProjections(ground);
  const client = createWebhookClient({ allowPrivate: configuration.webhooks.allowPrivate });
  lifecycle.onStop('close-stores', 'the connections to webhook endpoints', client.close);
  const engine = openEngine(ground, desk, commands.applySignals);
  const untilVisible = async (position: Position): Promise<void> => {
    await desk.reads.untilVisible(position, VISIBLE_WITHIN_MS);
  };
  const module = allModule({ ground, desk, engine, projections, client, operators: commands, untilVisible });
  app = await createHttpApp(module, { logger, metrics });
  serveDocs(app);
  await app.init();
  startEngine(ground, engine, commands.applySignals);
  startFollowers(ground, desk, client);
  const tokens = await partners.prepareTokens(configuration.tokens);
  const listening = await listen(app, configuration.http);
  url ??= listening;
  drainOnStop(app, lifecycle);
  return { url: listening, tokens };
};
