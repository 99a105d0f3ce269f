import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { databasePerFile } from '../../test/support/with-database.ts';
import type { PlayerToCheck } from './index.ts';
import { kycTables, openTestKyc, type TestClock, type TestKyc, testClock } from './testing/index.ts';

const FROM = '192.0.2.1';

const HOUR = 3_600_000;
const textLimits = { perNumber: 3, perPlayer: 4, perKey: 6, perCasino: 8 };

const database = databasePerFile(...kycTables);
const warned: object[] = [];
let clock: TestClock;
let one: TestKyc;
let other: TestKyc;
let casino: { affiliateId: number; entityId: number };

beforeAll(async () => {
  clock = testClock();
  const logger = { warn: (fields: object) => void warned.push(fields) };
  one = database.closing(await openTestKyc(database.url, clock, { textLimits, logger }));
  other = database.closing(await openTestKyc(database.url, clock, { textLimits }));
});

const newPartner = async (): Promise<void> => {
  casino = await one.newCasino();
};

const anotherCasino = async (): Promise<void> => {
  casino = await one.newCasino(casino.affiliateId);
};

beforeEach(async () => {
  await one.pool.query('TRUNCATE limit_windows, outgoing_messages');
  await newPartner();
});

let players = 0;

/** Each a player of his own, unless told. */
const ask = (phone: string, changes: Partial<PlayerToCheck> = {}, at = one) =>
  at.kyc.checkPlayer({ ...casino, gamblerRef: `g-${players++}`, phone, email: null, ...changes });

const texts = async (): Promise<number> => {
  const { rows } = await one.pool.query<{ texts: number }>('SELECT count(*) AS texts FROM outgoing_messages');
  return rows[0]?.texts ?? 0;
};

const refused = { outcome: 'kyc_required', message: expect.stringMatching(/^Identity .* Too many links/) };

describe('texts to one number', () => {
  it('are counted however it is spelled, at whichever casino of an affiliate', async () => {
    const spelled = [
      '+442079460958',
      '+44 (0)20 7946-0958',
      '00442079460958',
      '＋４４２０７９４６０９５８',
      '+442079460958 ext 7',
    ];
    for (const phone of spelled) {
      await anotherCasino();
      await ask(phone);
    }
    expect(await texts()).toBe(3);
    clock.pass(HOUR);
    await ask('+442079460958');
    expect(await texts()).toBe(4);
  });

  it.each(['p1', 'w1', ',1', ';1', '*1', '#', 'x1', ' a'])(
    'are counted with those to what is sent once it is reached: +442079460958%s',
    async (tones) => {
      for (const begun of ['+442079460958', '+44 (0)20 7946 0958', '00442079460958', '*31#+442079460958'])
        await ask(begun + tones);
      expect(await texts()).toBe(3);
    },
  );

  it.each(['*31#', '#31#', '*67', '*67 '])(
    'are counted with those that ask something of the network: %s',
    async (service) => {
      for (const number of ['+442079460958', '00442079460958', '+44 20 7946 0958', '+442079460958p1'])
        await ask(service + number);
      await ask('+442079460958');
      expect(await texts()).toBe(3);
    },
  );

  it.each(['\u2212', '\u30fc', '\u223c', '\u2053', '\u00b7', '_', '\u2019', '|', ':'])(
    'are counted for each number of an exchange by itself, written with %j',
    async (sign) => {
      const written = (last: string): string => ['+81', '90', '1234', last].join(sign);
      for (let nth = 0; nth < 4; nth++) await ask(written('1001'));
      expect(await texts()).toBe(3);
      expect(await ask('+819012341001')).toEqual(refused);
      expect(await ask(written('5678'))).not.toEqual(refused);
      expect(await texts()).toBe(4);
    },
  );

  it('of another partner take no place, and nobody is told of them', async () => {
    const phone = '+46700000008';
    for (let nth = 0; nth < 3; nth++) await ask(phone);
    expect(await ask(phone)).toEqual(refused);
    await newPartner();
    for (let nth = 0; nth < 3; nth++) expect(await ask(phone)).not.toEqual(refused);
    expect(await ask(phone)).toEqual(refused);
    expect(await texts()).toBe(6);
  });

  it('are ten times as many at the most, of however many partners', async () => {
    const phone = '+46700000009';
    for (let partner = 0; partner < 11; partner++) {
      await newPartner();
      for (let nth = 0; nth < 4; nth++) await ask(phone);
    }
    expect(await texts()).toBe(30);
    await newPartner();
    expect(await ask(phone)).toEqual(refused);
    expect(await ask('+46700000010')).not.toEqual(refused);
  });

  it('are counted by its digits where it does not parse', async () => {
    for (const phone of ['9 99', '999', '9-9-9', '(999)', 'call 999']) await ask(phone);
    expect(await texts()).toBe(3);
  });

  it('go out once for the last place, however many ask at once on however many instances', async () => {
    const at = (nth: number) => (nth % 2 ? one : other);
    const answers = await Promise.all(Array.from({ length: 24 }, (_, nth) => ask('+46700000007', {}, at(nth))));
    expect(await texts()).toBe(3);
    expect(answers.filter((answer) => 'message' in answer && answer.message.includes('Too many'))).toHaveLength(21);
  });
});

describe('texts to many numbers', () => {
  const sentTo = async (count: number, changes: Partial<PlayerToCheck>): Promise<number> => {
    const before = await texts();
    for (let nth = 0; nth < count; nth++) await ask(`+4670000${1000 + nth}`, changes);
    return (await texts()) - before;
  };

  it('are counted by player, key and casino', async () => {
    const gamblerRef = 'one player';
    for (let nth = 0; nth < 6; nth++) {
      const answer = await ask(`+467000020${nth}0`, { gamblerRef });
      if (nth >= 4) expect(answer).toEqual(refused);
      clock.pass(61_000);
    }
    expect(await texts()).toBe(4);
    await newPartner();
    expect(await sentTo(8, { keyId: 7 })).toBe(6);
    // Of the casino two are left, by whatever key.
    expect(await sentTo(8, { keyId: 8 })).toBe(2);
    await newPartner();
    expect(await sentTo(2, { keyId: 7 })).toBe(0);
  });
});

describe('whoever has a phone', () => {
  const tokenTo = async (phone: string): Promise<string> =>
    (await one.messages.list({ phone })).items[0]?.link?.split('/kyc/')[1] ?? '';

  it('says "this is not me": the player is rejected, and operators are told', async () => {
    const phone = '+46700000033';
    await ask(phone, { gamblerRef: 'not me' });
    const token = await tokenTo(phone);
    expect(await one.kyc.lookAtLink(token, FROM)).toMatchObject({ outcome: 'open', casinoName: 'Aurora' });
    expect(await one.kyc.disownLink(token, FROM)).toMatchObject({ outcome: 'disowned' });
    expect(await one.kyc.disownLink(token, FROM)).toEqual({ outcome: 'used' });
    expect(await one.kyc.disownLink('a guess', FROM)).toEqual({ outcome: 'unknown' });
    const [player] = (await one.kyc.listPlayers({ entityId: casino.entityId, gamblerRef: 'not me' })).items;
    expect(player?.kyc).toBe('rejected');
    expect(warned).toContainEqual({ alert: 'phone_disowned', entity_id: casino.entityId });
  });

  it('hears no more of that casino for thirty days, and of others as before', async () => {
    const phone = '+46700000044';
    await ask(phone);
    await one.kyc.disownLink(await tokenTo(phone), FROM);
    expect(await ask('+46 70 000 00 44')).toMatchObject({
      message: expect.stringMatching(/No link is sent to this phone/),
    });
    expect(await texts()).toBe(1);
    await anotherCasino();
    await ask(phone);
    expect(await texts()).toBe(2);
    clock.pass(30 * 24 * HOUR);
    await ask(phone, { gamblerRef: 'later' });
    expect(await texts()).toBe(3);
  });
});
