import { beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { positionOf } from '../position.ts';
import { createExchanged } from './exchanged.ts';

let told: number;
let exchanged: ReturnType<typeof createExchanged>;

/** A server that says what it was as it was asked, and whose answer comes once `meanwhile` is over. */
const server = ({ id = 'one', next = 100, meanwhile = (): void => undefined }) =>
  ({
    query: async (text: string) => {
      if (!text.includes('pg_snapshot_xmax')) return { rows: [{ identity: id }] };
      meanwhile();
      return { rows: [{ next: `${next}` }] };
    },
  }) as unknown as pg.ClientBase;

const seen = (transaction: number): void => exchanged.saw(positionOf(`${transaction}`, '1'));

beforeEach(async () => {
  told = 0;
  exchanged = createExchanged();
  exchanged.whenExchanged(() => {
    told += 1;
  });
  await exchanged.look(server({}));
  seen(90);
});

describe('A new connection', () => {
  it('leads to the same database where an append is heard of beside it that it could not say yet', async () => {
    await exchanged.look(server({ meanwhile: () => seen(100) }));
    expect(told).toBe(0);
  });

  it('leads to the database as it was before where that has not come to what was seen before it was asked', async () => {
    await exchanged.look(server({ next: 90 }));
    expect(told).toBe(1);
  });

  it('leads to another database where that is called otherwise', async () => {
    await exchanged.look(server({ id: 'another', next: 200 }));
    expect(told).toBe(1);
  });
});
