import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

const config = { onlyReads: true };

/** A POST that changes nothing, as the older family has them: repeated at will, it is refused like a GET. */
export const OnlyReads = (): MethodDecorator => RouteConfig(config);

export const onlyReads = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === 'GET' ||
  method === 'HEAD' ||
  ('onlyReads' in routeOptions.config && routeOptions.config.onlyReads === true);
