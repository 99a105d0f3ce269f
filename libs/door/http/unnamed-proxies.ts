import type { FastifyInstance } from 'fastify';
import type { Logger } from '#platform/logging';
import { addressOf } from './address-of.ts';
import { unbelievedOf } from './forwarded.ts';
import { callsFor } from './known-connections.ts';

/** Anybody may send the header: a few tell whoever set this up what he has to know. */
const MOST_TOLD = 10;

const WHAT_IT_IS_FOR =
  'what this address says of whoever it calls for (X-Forwarded-For, X-Forwarded-Proto) is not believed: if it is a proxy of yours, name it in TRUSTED_PROXIES; until then all who come through it are one client for every limit by address, as that of links (LINKS_PER_ADDRESS)';

/** Once for an address: behind a proxy that nobody named all its clients share the limits of one. */
export const tellUnnamedProxies = (fastify: FastifyInstance, logger: Logger): void => {
  const told = new Set<string>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { ip, socket } = request;
    if (ip !== socket.remoteAddress) callsFor(socket, addressOf({ ip }));
    const unbelieved = unbelievedOf(request);
    if (unbelieved && told.size < MOST_TOLD && !told.has(unbelieved.address)) {
      told.add(unbelieved.address);
      const noConsole = unbelieved.isNearest ? ', and nobody can sign in at the console through it' : '';
      logger.warn({ client: unbelieved.address }, WHAT_IT_IS_FOR + noConsole);
    }
    done();
  });
};
