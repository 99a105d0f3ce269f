import { type DynamicModule, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import { type Assets, readAssets } from './pages/assets.ts';
import { servePages } from './pages/serve-pages.ts';
import { MeController } from './session/me.controller.ts';
import { SESSIONS, SessionController, type SessionParts } from './session/session.controller.ts';

const ASSETS = Symbol('assets of the console');

@Module({})
class ConsolePages implements OnModuleInit {
  @Inject(HttpAdapterHost) private readonly host!: HttpAdapterHost;
  @Inject(ASSETS) private readonly assets!: Assets;

  onModuleInit(): void {
    servePages(this.host.httpAdapter.getInstance(), this.assets);
  }
}

/** The operators' console: its pages, and who is signed in at it. All else it has of the operators' routes. */
export const consoleRoutes = ({ authenticateOperator, sessions }: SessionParts): DynamicModule => ({
  module: ConsolePages,
  controllers: [SessionController, MeController],
  providers: [
    { provide: ASSETS, useFactory: () => readAssets() },
    { provide: AUTHENTICATE_OPERATOR, useValue: authenticateOperator },
    { provide: SESSIONS, useValue: { authenticateOperator, sessions } },
  ],
});
