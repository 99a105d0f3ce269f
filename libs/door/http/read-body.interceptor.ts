import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { UnreadBody } from './request-body.ts';

/** Interceptors run after the guards and before the pipes: a body is read, and refused, once the caller is known. */
@Injectable()
export class ReadBodyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.body instanceof UnreadBody) {
      const read = request.body.read();
      if ('refusal' in read) throw read.refusal;
      request.body = read.value;
    }
    return next.handle();
  }
}
