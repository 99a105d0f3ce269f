import type { FastifyInstance } from 'fastify';
import type { Logger } from '#platform/logging';
import { addressOf } from './address-of.ts';
import { callsFor } from './known-connections.ts';

/** Anybody may send the header: a few tell whoever set this up what he has to know. */
const MOST_TOLD = 10;

/** Once for an address: behind a proxy that nobody named all its clients share the limits of one. */
export const tellUnnamedProxies = (fastify: FastifyInstance, logger: Logger): void => {
  const told = new Set<string>();
  fastify.addHook('onRequest', ({ headers, ip, socket }, _reply, done) => {
    const { remoteAddress } = socket;
    if (ip !== remoteAddress) callsFor(socket, addressOf({ ip }));
    const isUnbelieved = headers['x-forwarded-for'] !== undefined && ip === remoteAddress;
    if (isUnbelieved && told.size < MOST_TOLD && !told.has(ip)) {
      told.add(ip);
      logger.warn(
        { client: ip },
        'X-Forwarded-For of this address is not believed: if it is a proxy of yours, name it in TRUSTED_PROXIES; until then all who come through it count as one client for every limit by address',
      );
    }
    done();
  });
};
