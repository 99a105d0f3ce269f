import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieNamed } from '#door/access';
import { BACK } from './provider.ts';

const SECONDS = 600;

const nameAt = ({ protocol }: FastifyRequest): string =>
  protocol === 'https' ? '__Secure-cointill_sign_in' : 'cointill_sign_in';

/** Whoever comes back from the provider comes from another site: of `Strict` his browser would say nothing. */
export const setSignInCookie = (request: FastifyRequest, reply: FastifyReply, secret: string): void => {
  const secure = request.protocol === 'https' ? '; Secure' : '';
  const kept = secret === '' ? 0 : SECONDS;
  const cookie = `${nameAt(request)}=${secret}; Path=${BACK}; HttpOnly; SameSite=Lax; Max-Age=${kept}${secure}`;
  void reply.header('set-cookie', cookie);
};

export const signInCookieOf = (request: FastifyRequest): string | undefined => cookieNamed(request, nameAt(request));
