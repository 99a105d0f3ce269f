import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { isRefusal } from './database-errors.ts';

const databaseError = (code: string) => Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code });

describe('An error of the database', () => {
  it.each([
    ['a duplicate key', '23505'],
    ['a check', '23514'],
    ['text where a number belongs', '22P02'],
    ['a table that is missing', '42P01'],
  ])('is the event’s fault: %s', (_, code) => {
    expect(isRefusal(databaseError(code))).toBe(true);
  });

  it.each([
    ['an administrator’s shutdown', '57P01'],
    ['a crash', '57P02'],
    ['a start', '57P03'],
    ['a cancelled statement', '57014'],
    ['a serialization failure', '40001'],
    ['a deadlock', '40P01'],
    ['a full disk', '53100'],
    ['a lost connection', '08006'],
    ['a server that became a standby', '25006'],
  ])('passes: %s', (_, code) => {
    expect(isRefusal(databaseError(code))).toBe(false);
  });

  it('passes when the connection broke and nobody said a word', () => {
    expect(isRefusal(new Error('Connection terminated unexpectedly'))).toBe(false);
  });
});
