import pg from 'pg';

/**
 * One that breaks in use fails its statement; the client's own event, unheard, would end the process on top of it. It
 * can come as soon as there is a connection, before whoever asked for it has it in hands.
 */
export class HeardPool extends pg.Pool {
  constructor(config?: pg.PoolConfig) {
    super(config);
    this.on('connect', (client) => client.on('error', () => undefined));
  }
}
