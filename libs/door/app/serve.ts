import { CommandBus } from '@nestjs/cqrs';
import { commandsOn } from '#deposit-commands/cqrs';
import { type Ground, openDesk, type ServiceDesk } from '#ground';
import type { MadeTokens } from '#partners';
import type { App } from './app.ts';
import { type Doors, listenAt, makeDoors, type Opened, placesOf, serveDocsAt } from './doors.ts';

const started = (doors: Doors | undefined): Doors => {
  if (!doors) throw new Error('a command came before the app was made');
  return doors;
};

export type Served = {
  readonly url: string;
  readonly operatorUrl: string;
  readonly tokens: MadeTokens;
  readonly hasDoor: boolean;
};

/**
 * Opens everything that answers and everything that follows. It listens last: whoever reaches it finds the tokens in
 * force that its settings name.
 */
export const serve = async (apps: readonly App[], ground: Ground): Promise<Served> => {
  const { configuration, lifecycle, partners } = ground;
  let doors: Doors | undefined;
  let url = configuration.publicUrl;
  let opening: Promise<ServiceDesk> | undefined;
  const desk = (): Promise<ServiceDesk> => {
    opening ??= openDesk(ground, () => url ?? '');
    return opening;
  };
  const commands = commandsOn(() => started(doors).operators.get(CommandBus, { strict: false }));
  const opened: Opened[] = [];
  for (const app of apps) opened.push({ ...(await app.open({ ground, desk, commands })), door: app.door });
  doors = await makeDoors({ ground, opened, desk: await opening });
  const hasDoor = opened.some(({ routes = [] }) => routes.length > 0);
  if (hasDoor) serveDocsAt(doors, Object.assign({}, ...opened.map(({ told }) => told)), () => url ?? '');
  for (const door of new Set([doors.partners, doors.operators])) await door.init();
  for (const { start } of opened) start?.();
  const tokens = hasDoor ? await partners.prepareTokens(configuration.tokens) : {};
  const listening = await listenAt(doors, placesOf(configuration), lifecycle);
  url ??= listening.url;
  return { ...listening, tokens, hasDoor };
};
