import { Controller, type DynamicModule, Get, Inject, Res } from '@nestjs/common';
import {
  ApiExcludeController,
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Health } from '#platform/health';
import type { Metrics } from '#platform/metrics';
import { LiveBody, ReadyBody } from './health-bodies.ts';
import { routesOf } from './routes-of.ts';

const HEALTH = Symbol('health');
const METRICS = Symbol('metrics');

@ApiTags('Health')
@Controller()
class HealthController {
  readonly #health: Health;

  constructor(@Inject(HEALTH) health: Health) {
    this.#health = health;
  }

  @Get('health/live')
  @ApiOperation({ security: [], operationId: 'live', summary: 'Whether the process runs' })
  @ApiOkResponse({ type: LiveBody })
  live(): LiveBody {
    return { status: 'live' };
  }

  @Get('health/ready')
  @ApiOperation({ security: [], operationId: 'ready', summary: 'Whether it can serve, and what keeps it from that' })
  @ApiOkResponse({ type: ReadyBody })
  @ApiServiceUnavailableResponse({ type: ReadyBody, description: 'Service Unavailable' })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadyBody> {
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
