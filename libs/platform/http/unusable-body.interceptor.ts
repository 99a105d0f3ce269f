import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { UnusableBody } from './request-body.ts';

/** Interceptors run after the guards and before the pipes: a bad body is told once the caller is known. */
@Injectable()
export class UnusableBodyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (body instanceof UnusableBody) throw body.error;
    return next.handle();
  }
}
