import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { rememberPast } from '#limits';
import { notesOfRequest } from '#platform/logging';
import { httpErrors } from '../errors/index.ts';
import { addressOf, afterGuards } from '../http/index.ts';
import { countFailure, type Rate, type RatesParts, ratesOn } from './rates.ts';

const FAILED = new Set([400, 401, 403, 404, 409, 410, 422]);

const ofAddress = (request: FastifyRequest): string => `failures from ${addressOf(request)}`;
const ofCaller = (caller: string | undefined): string => `failures of ${caller}`;

const isKey = (caller: string | undefined): boolean => caller?.startsWith('key ') === true;

/**
 * Whoever fails too often in a minute is refused until it is over: by the address before anything is looked at, by the key
 * once it is known. All instances count together; each hears of a limit that was passed by the next failure that it sees.
 */
export const limitFailingCalls = (app: NestFastifyApplication, parts: RatesParts): void => {
  const { failuresPerAddress, failuresPerKey } = parts.rates;
  if (failuresPerAddress === undefined && failuresPerKey === undefined) return;
  const refused = rememberPast();
  const refusalOf = (subject: string) => {
    const secondsLeft = refused.secondsLeft(subject);
    return secondsLeft === undefined ? undefined : httpErrors.tooManyCalls(secondsLeft);
  };
  const ratesOf = (request: FastifyRequest): readonly Rate[] => {
    const { caller } = notesOfRequest();
    return ratesOn([
      { policy: 'address', subject: ofAddress(request), most: failuresPerAddress },
      { policy: 'key', subject: ofCaller(caller), most: isKey(caller) ? failuresPerKey : undefined },
    ]);
  };

  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', async (request, reply) => {
    const refusal = request.url.startsWith('/health/') ? undefined : refusalOf(ofAddress(request));
    return refusal && reply.code(refusal.status).headers(refusal.headers).send(refusal.body);
  });
  fastify.addHook('onResponse', async (request, reply) => {
    if (!FAILED.has(reply.statusCode)) return;
    for (const { subject, secondsLeft } of await countFailure(parts, addressOf(request), ratesOf(request)))
      refused.note(subject, secondsLeft);
  });
  afterGuards(app, () => {
    const refusal = refusalOf(ofCaller(notesOfRequest().caller));
    if (refusal) throw refusal;
  });
};
