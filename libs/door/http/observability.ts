import { Controller, type DynamicModule, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Health, Readiness } from '#platform/health';
import type { Metrics } from '#platform/metrics';
import { routesOf } from './routes-of.ts';

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

export const healthRoutes = (health: Health): DynamicModule => routesOf([HealthController], { [HEALTH]: health });

export const metricsRoutes = (metrics: Metrics): DynamicModule => routesOf([MetricsController], { [METRICS]: metrics });
