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
import { Flag, List, Text, Word } from '../fields/index.ts';
import { routesOf } from './routes-of.ts';

class LiveBody {
  @Word(['live'], 'The process runs', 'live')
  status!: 'live';
}

class CheckBody {
  @Text('What has to be there', 'database')
  name!: string;

  @Flag('It is', true)
  ok!: boolean;

  @Text.optional('Why it is not')
  detail?: string;
}

class ReadyBody {
  @Word(['ready', 'not ready'], 'Whether everything can be served', 'ready')
  status!: 'ready' | 'not ready';

  @List(CheckBody, 'What was looked at; the bus keeps it from being ready only until it was there once')
  checks!: readonly CheckBody[];

  @List.optional(String, 'What somebody has to look at, though everything else can be served')
  alarms?: readonly string[];

  @List.optional(String, 'What is weaker than it could be')
  warnings?: readonly string[];

  @List.optional(String, 'What is played and not real', ['SMS', 'e-mail'])
  simulated?: readonly string[];
}

const HEALTH = Symbol('health');
const METRICS = Symbol('metrics');

@ApiTags('Health')
@Controller()
class HealthController {
  @Inject(HEALTH) private readonly health!: Health;

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
    const { ready, ...told } = await this.health.readiness();
    void reply.code(ready ? 200 : 503);
    return { status: ready ? 'ready' : 'not ready', ...told };
  }
}

@ApiExcludeController()
@Controller()
class MetricsController {
  @Inject(METRICS) private readonly kept!: Metrics;

  @Get('metrics')
  async metrics(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.type(this.kept.registry.contentType);
    return this.kept.scrape();
  }
}

export const healthRoutes = (health: Health): DynamicModule => routesOf([HealthController], { [HEALTH]: health });

export const metricsRoutes = (metrics: Metrics): DynamicModule => routesOf([MetricsController], { [METRICS]: metrics });
