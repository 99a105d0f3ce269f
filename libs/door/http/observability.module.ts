import { Controller, type DynamicModule, Get, Inject, Module, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Health, Readiness } from '#platform/health';
import type { Metrics } from '#platform/metrics';

const HEALTH = Symbol('health');
const METRICS = Symbol('metrics');

@ApiExcludeController()
@Controller()
class HealthController {
  readonly #health: Health;

  constructor(@Inject(HEALTH) health: Health) {
    this.#health = health;
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
}

@ApiExcludeController()
@Controller()
class MetricsController {
  readonly #metrics: Metrics;

  constructor(@Inject(METRICS) metrics: Metrics) {
    this.#metrics = metrics;
  }

  @Get('metrics')
  async metrics(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.type(this.#metrics.registry.contentType);
    return this.#metrics.registry.metrics();
  }
}

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class HealthModule {
  static with(health: Health): DynamicModule {
    return {
      module: HealthModule,
      controllers: [HealthController],
      providers: [{ provide: HEALTH, useValue: health }],
    };
  }
}

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class MetricsModule {
  static with(metrics: Metrics): DynamicModule {
    return {
      module: MetricsModule,
      controllers: [MetricsController],
      providers: [{ provide: METRICS, useValue: metrics }],
    };
  }
}
