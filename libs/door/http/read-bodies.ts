import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { afterGuards } from './after-guards.ts';
import { type BodyManners, mannersOf } from './body-manners.ts';
import { tellIgnored, tellIgnoredBody } from './ignored.ts';
import { bringsUntypedBody, UnreadBody } from './request-body.ts';
import { refuseUntyped } from './untyped-bodies.ts';

const BAD_REQUEST = 400;

const bodyOf = (body: UnreadBody, { unreadable }: BodyManners): unknown => {
  const read = body.read();
  if (!('refusal' in read)) return read.value;
  throw unreadable && read.refusal.status === BAD_REQUEST ? unreadable() : read.refusal;
};

const read = (request: FastifyRequest, reply: FastifyReply, manners: BodyManners): void => {
  const { body, method } = request;
  request.body = undefined;
  if (method === 'GET' && !manners.alsoOnGet) tellIgnoredBody(reply, 'a GET brings none');
  else if (body instanceof UnreadBody) request.body = bodyOf(body, manners);
};

/** A body is read, and refused, once the caller is known; what nobody looked at of a call is told with its answer. */
export const readBodies = (app: NestFastifyApplication): void => {
  const taken = new WeakSet<FastifyRequest>();
  afterGuards(app, (request, reply, context) => {
    const handler = context.getHandler();
    if (bringsUntypedBody(request.raw)) {
      refuseUntyped(request, context);
      tellIgnoredBody(reply, 'its Content-Type is not application/json');
    }
    if (request.body instanceof UnreadBody) read(request, reply, mannersOf(handler));
    taken.add(request);
  });
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (taken.has(request)) tellIgnored(request, reply);
    done();
  });
};
