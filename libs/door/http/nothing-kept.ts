import type { FastifyInstance } from 'fastify';

/** What is told of money, people and secrets holds for the moment, and for its caller: only a route that says so itself may be kept. */
export const haveNothingKept = (fastify: FastifyInstance): void => {
  fastify.addHook('onRequest', (_request, reply, done) => {
    void reply.header('cache-control', 'no-store');
    done();
  });
};
