import { type DynamicModule, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { RatesParts } from '#door/rates';
import type { Partners } from '#partners';
import type { ProviderConfiguration } from '#platform/configuration';
import type { Logger } from '#platform/logging';
import { readAssets, withProvider } from './pages/assets.ts';
import { showNotice } from './pages/notice-page.ts';
import { servePages } from './pages/serve-pages.ts';
import { openProvider } from './provider/provider.ts';
import { serveSignIn } from './provider/serve-sign-in.ts';
import { MeController } from './session/me.controller.ts';
import { SESSIONS, SessionController } from './session/session.controller.ts';

export type ConsoleParts = {
  readonly partners: Pick<Partners, 'authenticateOperator' | 'endPerson' | 'knowPerson' | 'sessions' | 'signIns'>;
  /** Undefined: whoever signs in shows a token. */
  readonly provider: ProviderConfiguration | undefined;
  readonly logger: Logger;
  readonly rates: RatesParts;
};

const CONSOLE = Symbol('parts of the console');

@Module({})
class ConsolePages implements OnModuleInit {
  @Inject(HttpAdapterHost) private readonly host!: HttpAdapterHost;
  @Inject(CONSOLE) private readonly parts!: ConsoleParts;

  onModuleInit(): void {
    const { partners, provider: settings, logger, rates } = this.parts;
    const fastify = this.host.httpAdapter.getInstance();
    const assets = withProvider(readAssets(), settings?.issuer);
    servePages(fastify, assets);
    const show = showNotice(assets);
    if (settings) serveSignIn(fastify, { settings, provider: openProvider(settings), partners, logger, rates, show });
  }
}

/** The operators' console: its pages, and who is signed in at it. All else it has of the operators' routes. */
export const consoleRoutes = (parts: ConsoleParts): DynamicModule => {
  const { authenticateOperator, sessions } = parts.partners;
  return {
    module: ConsolePages,
    controllers: [SessionController, MeController],
    providers: [
      { provide: CONSOLE, useValue: parts },
      { provide: SESSIONS, useValue: { authenticateOperator, sessions } },
    ],
  };
};
