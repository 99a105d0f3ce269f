import { describe, expect, it } from '@jest/globals';
import { depositStream } from '#deposit-commands';
import { LogUnavailable } from '#event-log';
import { freePort } from '../../test/support/free-port.ts';
import { exchangesPerTest } from './testing/exchanges.ts';
import { EXTERNAL } from './testing/installations.ts';

const { here, aDirectory, serve, running, create, depositsThere, untilTaken, untilRefusedAs } = exchangesPerTest();
const { own, other, start } = here;

describe('A server that comes in the place of the own one under a running service', () => {
  it('is written nothing and shown to nobody where it is empty, and the own one goes on by itself once it is back', async () => {
    const { log, port, dataDir } = await running();
    await create(log, 2);
    await serve(port);
    for (const id of [3, 4]) await expect(create(log, id)).rejects.toThrow(LogUnavailable);
    await expect(Array.fromAsync(log.read(depositStream(1)))).rejects.toThrow(LogUnavailable);
    expect(await depositsThere()).toEqual([]);
    await serve(port, dataDir);
    await untilTaken(() => create(log, 5));
    expect(await depositsThere()).toEqual([1, 2, 5].map(depositStream));
  }, 60_000);

  it('is written nothing and shown to nobody where it is that of another installation', async () => {
    const theirs = aDirectory();
    await serve(await freePort(), theirs);
    const stranger = await start(other.pool, EXTERNAL);
    for (const id of [1, 2, 3]) await create(stranger.log, id);
    const { log, port } = await running();
    await serve(port, theirs);
    await expect(create(log, 4)).rejects.toThrow(LogUnavailable);
    await untilRefusedAs(/one installation has one event log/, () => Array.fromAsync(log.read(depositStream(3))));
    await untilRefusedAs(/one installation has one event log/, log.head);
    expect(await depositsThere()).toEqual([1, 2, 3].map(depositStream));
  }, 60_000);

  it('is written nothing before the first deposit was counted either', async () => {
    const port = await freePort();
    await serve(port, aDirectory());
    const { log } = await start(own.pool, EXTERNAL);
    await create(log, 1);
    await serve(port);
    await expect(create(log, 2)).rejects.toThrow(LogUnavailable);
    await untilRefusedAs(/has no name|ends before what was seen of it/, log.head);
    expect(await depositsThere()).toEqual([]);
  }, 60_000);
});

describe('Nothing is refused where the server stays the same', () => {
  it('and is killed and started again, however often', async () => {
    const { log, port, dataDir } = await running();
    for (let id = 2; id < 6; id++) {
      await serve(port, dataDir);
      await create(log, id);
    }
    expect(await depositsThere()).toEqual([1, 2, 3, 4, 5].map(depositStream));
  }, 60_000);

  it('and its connections are cut while many create', async () => {
    const { log } = await running();
    for (let round = 0; round < 3; round++) {
      const creating = Array.from({ length: 20 }, (_, nth) => create(log, 100 * round + nth + 2));
      here.standIn.cut();
      await Promise.all(creating);
    }
    expect(await depositsThere()).toHaveLength(61);
  }, 60_000);
});
