import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { type BodyManners, mannersOf } from './body-manners.ts';
import { UnreadBody } from './request-body.ts';

const BAD_REQUEST = 400;

const bodyOf = (body: UnreadBody, method: string, { alsoOnGet = false, unreadable }: BodyManners): unknown => {
  if (method === 'GET' && !alsoOnGet) return undefined;
  const read = body.read();
  if (!('refusal' in read)) return read.value;
  throw unreadable && read.refusal.status === BAD_REQUEST ? unreadable() : read.refusal;
};

/** Interceptors run after the guards and before the pipes: a body is read, and refused, once the caller is known. */
@Injectable()
export class ReadBodyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.body instanceof UnreadBody)
      request.body = bodyOf(request.body, request.method, mannersOf(context.getHandler()));
    return next.handle();
  }
}
