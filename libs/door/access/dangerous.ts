import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

export const DANGEROUS = 'dangerous';

/**
 * `alone`: one person may do it also where `FOUR_EYES` wants two. `by role`: an admin may do more of it than others, and
 * what he asks for only an admin lets through.
 */
export type Danger = 'always' | 'alone' | 'by role';

/** In the console whoever does this shows his token again and says why, which goes to the audit trail before it is done. */
export const Dangerous = (danger: Danger = 'always') => SetMetadata(DANGEROUS, danger);

/** What else it is about: a second person lets that through, and nothing that is about something else. */
export type DangerCheck = (about?: object, danger?: Danger) => Promise<void>;

const checks = new WeakMap<FastifyRequest, DangerCheck>();

export const rememberCheck = (request: FastifyRequest, check: DangerCheck): void => {
  checks.set(request, check);
};

/** For a route that finds out by itself that what it is asked for is dangerous: throws unless it may go on. */
export const CheckDanger = createParamDecorator((_: unknown, context: ExecutionContext): DangerCheck => {
  const check = checks.get(context.switchToHttp().getRequest<FastifyRequest>());
  return check ?? (() => Promise.resolve());
});
