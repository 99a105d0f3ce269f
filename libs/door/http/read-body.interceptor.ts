import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { finalize, type Observable } from 'rxjs';
import { type BodyManners, mannersOf } from './body-manners.ts';
import { tellIgnored, tellIgnoredBody } from './ignored.ts';
import { bringsUntypedBody, UnreadBody } from './request-body.ts';

const BAD_REQUEST = 400;

const bodyOf = (body: UnreadBody, { unreadable }: BodyManners): unknown => {
  const read = body.read();
  if (!('refusal' in read)) return read.value;
  throw unreadable && read.refusal.status === BAD_REQUEST ? unreadable() : read.refusal;
};

/** Interceptors run after the guards and before the pipes: a body is read, and refused, once the caller is known. */
@Injectable()
export class ReadBodyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (bringsUntypedBody(request.raw)) tellIgnoredBody(reply, 'its Content-Type is not application/json');
    if (request.body instanceof UnreadBody) this.#read(request, reply, mannersOf(context.getHandler()));
    return next.handle().pipe(finalize(() => tellIgnored(request, reply)));
  }

  #read(request: FastifyRequest, reply: FastifyReply, manners: BodyManners): void {
    const { body, method } = request;
    request.body = undefined;
    if (method === 'GET' && !manners.alsoOnGet) tellIgnoredBody(reply, 'a GET brings none');
    else if (body instanceof UnreadBody) request.body = bodyOf(body, manners);
  }
}
