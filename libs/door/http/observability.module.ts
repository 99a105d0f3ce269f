import { Controller, type DynamicModule, Get, Inject, Module, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Health, Readiness } from '#platform/health';
import type { Metrics } from '#platform/metrics';

const HEALTH = Symbol('health');
const METRICS = Symbol('metrics');

@ApiExcludeController()
@Controller()
class ObservabilityController {
  readonly #health: Health;
  readonly #metrics: Metrics;

  constructor(@Inject(HEALTH) health: Health, @Inject(METRICS) metrics: Metrics) {
    this.#health = health;
    this.#metrics = metrics;
  }

  @Get('health/live')
  live(): { status: string } {
    return { status: 'live' };
  }

  @Get('health/ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<{ status: string } & Omit<Readiness, 'ready'>> {
    const { ready, ...told } = await this.#health.readiness();
    void reply.code(ready ? 200 : 503);
    return { status: ready ? 'ready' : 'not ready', ...told };
  }

  @Get('metrics')
  async metrics(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.type(this.#metrics.registry.contentType);
    return this.#metrics.registry.metrics();
  }
}

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class ObservabilityModule {
  static with(health: Health, metrics: Metrics): DynamicModule {
    return {
      module: ObservabilityModule,
      controllers: [ObservabilityController],
      providers: [
        { provide: HEALTH, useValue: health },
        { provide: METRICS, useValue: metrics },
      ],
    };
  }
}
