import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { connectionOf } from './connection.ts';

const connectionString = 'postgres://projector:secret@127.0.0.1:5432/cointill';

describe('One more connection like a pool’s', () => {
  it('keeps the password, which the pool hides', () => {
    const pool = new pg.Pool({ host: '127.0.0.1', user: 'projector', password: 'secret' });
    expect(connectionOf(pool, 'projection').password).toBe('secret');
  });

  it('never waits for ever on a server that fell silent', () => {
    expect(connectionOf(new pg.Pool({ connectionString }), 'projection').query_timeout).toBe(60_000);
    expect(connectionOf(new pg.Pool({ connectionString, query_timeout: 5 }), 'projection').query_timeout).toBe(5);
  });
});
