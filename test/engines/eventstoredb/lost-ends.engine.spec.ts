import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { setTimeout as later } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { type Body, type DepositHandle, done, eventually, type Service } from '../../acceptance/harness/index.ts';
import { newUser } from '../../cli/support/cointill.ts';
import { puttingBack, shownAs, untilWritten } from './support/put-back.ts';

const { aDirectory, opened, undo } = puttingBack('lost-ends');

const projectionsOf = async ({ operator }: Service) =>
  done(await operator('GET', '/operator/projections')).projections as readonly { name: string; state: string }[];

const rebuildAll = async (service: Service): Promise<void> => {
  for (const { name } of await projectionsOf(service)) {
    done(await service.operator('POST', `/operator/projections/${name}/rebuild`));
    await eventually(
      () => projectionsOf(service),
      (all) => all.every(({ state }) => state === 'live'),
      60_000,
    );
  }
};

const takeUp = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  const user = newUser();
  undo.push(user.gone);
  expect(await user.piped(['deliveries', 'take-up', '--yes'], undefined, settings)).toMatchObject({ code: 0 });
};

it('A deposit of which the end went with the log goes on, by the documented way, until it is accepted again', async () => {
  const { service, settings, putBack, directory, casino } = await opened();
  const [lost, decided] = [await casino.deposit(), await casino.deposit()];
  await decided.settle();
  await shownAs(casino, lost, 'pending');
  const copy = aDirectory();
  cpSync(directory, copy, { recursive: true });
  await lost.settle();
  for (const each of [lost, decided]) expect(await each.accept()).toMatchObject({ status: 200 });
  for (const each of [lost, decided]) await shownAs(casino, each, 'accepted');
  const order = casino.order(await casino.player());
  const created = () => casino.create(order);
  await putBack(copy);

  const { operator } = service;
  await rebuildAll(service);
  expect(await created()).toMatchObject({ status: 503 });
  await takeUp(settings);
  await eventually(created, ({ status }) => status === 200, 10_000);
  expect(await lost.accept()).toMatchObject({ status: 500 });
  const checked = () => operator('GET', `/operator/deposits/${lost.id}/check`);
  expect(await checked()).toMatchObject({ body: { findings: [{ by: 'chain', stream: `deposit-${lost.id}` }] } });

  const { lost_ends: found } = done(await operator('GET', '/operator/lost-ends'));
  expect(found).toHaveLength(2);
  const reason = { reason: 'the log was put back after the loss of its disk' };
  expect(await operator('POST', `/operator/lost-ends/deposit-${lost.id}/accept`, reason)).toMatchObject({
    status: 200,
    body: { accepted: [{ stream: `deposit-${lost.id}` }] },
  });
  expect(await decided.accept()).toMatchObject({ status: 500 });
  expect(await operator('POST', '/operator/lost-ends/accept', reason)).toMatchObject({
    status: 200,
    body: { accepted: [{ stream: `deposit-${decided.id}` }], refused: [], left: 0 },
  });
  expect(await decided.accept()).toMatchObject({ status: 200 });
  expect(await lost.read()).toMatchObject({ decision: 'pending', status: 'Pending' });
  await lost.settle();
  expect(await lost.accept()).toMatchObject({ status: 200 });
  for (const each of [lost, decided]) await shownAs(casino, each, 'accepted');
  expect(await checked()).toMatchObject({ status: 200, body: { findings: [] } });
  expect(done(await operator('GET', '/operator/lost-ends'))).toEqual({ lost_ends: [], refused: [], left: 0 });
  const { audit_trail: entries } = done(await operator('GET', '/operator/audit-trail'));
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        subject: 'history',
        subject_id: `deposit-${lost.id}`,
        after: expect.objectContaining(reason),
      }),
    ]),
  );
}, 300_000);

const toldOf = (deposit: DepositHandle): readonly [Body, ...Body[]] => {
  const about = { deposit_id: deposit.id, txid: deposit.txid, vout: 0 };
  const screened = { deposit_id: deposit.id, at: deposit.at(5) };
  const seen = {
    ...{ ...about, signal_id: 'told-seen', type: 'payment.seen', at: deposit.at(1) },
    ...{ amount: deposit.quote.crypto_amount.toFixed(8), funding_addresses: ['a funder'], replaceable: false },
  };
  return [
    seen,
    { ...about, signal_id: 'told-confirmed', type: 'payment.confirmed', at: deposit.at(10), confirmations: 1 },
    { ...screened, signal_id: 'told-kyt', type: 'kyt.completed', status: 'passed', risk_score: '0.1' },
    { ...screened, signal_id: 'told-ofac', type: 'ofac.completed', status: 'clear' },
  ];
};

it('A deposit has its lost payments again as the engine tells them once more, by the ids that they had', async () => {
  const { service, settings, putBack, directory, casino } = await opened();
  const lost = await casino.deposit();
  const [seen, ...gone] = toldOf(lost);
  const outcomes = async () => (await service.signals([seen, ...gone])).map(({ outcome }) => outcome);
  await service.signals([seen]);
  const copy = aDirectory();
  cpSync(directory, copy, { recursive: true });
  expect(await outcomes()).toEqual(['duplicate', 'applied', 'applied', 'applied']);
  expect(await lost.accept()).toMatchObject({ status: 200 });
  await shownAs(casino, lost, 'accepted');
  await putBack(copy);
  await rebuildAll(service);
  await takeUp(settings);
  await untilWritten(casino, 10_000);
  expect(await outcomes()).toEqual(['duplicate', 'duplicate', 'duplicate', 'duplicate']);
  done(await service.operator('POST', '/operator/lost-ends/accept', { reason: 'the log was put back' }));
  expect(await lost.read()).toMatchObject({ decision: 'pending' });
  expect(await outcomes()).toEqual(['duplicate', 'applied', 'applied', 'applied']);
  expect(await outcomes()).toEqual(['duplicate', 'duplicate', 'duplicate', 'duplicate']);
  expect(await lost.accept()).toMatchObject({ status: 200 });
  await shownAs(casino, lost, 'accepted');
}, 300_000);

it.each([
  ['at a start', 'putBack', 'nothing is written to the event log'],
  ['under a running service', 'exchange', 'the log ends before what was seen of it'],
] as const)(
  'A copy of the log that lacks what was shown takes nothing %s, and the own one goes on as if it had not been there',
  async (_, way, said) => {
    const served = await opened();
    const { service, directory, casino } = served;
    const [told, decided, asked] = [await casino.deposit(), await casino.deposit(), await casino.deposit()];
    const [old, own] = [aDirectory(), aDirectory()];
    await asked.settle();
    for (const each of [told, decided]) await shownAs(casino, each, 'pending');
    cpSync(directory, old, { recursive: true });
    await decided.settle();
    expect(await decided.accept()).toMatchObject({ status: 200 });
    await shownAs(casino, decided, 'accepted');
    cpSync(directory, own, { recursive: true });

    const signals = toldOf(told);
    const outcomes = async () => (await service.signals(signals)).map(({ outcome }) => outcome);
    const order = casino.order(await casino.player());
    const pools = async () => done(await service.operator('GET', '/operator/address-pool'));
    const free = await pools();
    await served[way](old);
    const { engineToken } = service.access();
    expect(await service.operator('POST', '/engine/signals', { signals }, engineToken)).toMatchObject({ status: 503 });
    const refused = { status: 503, body: { detail: expect.stringContaining('nothing was recorded') } };
    expect(await asked.accept()).toMatchObject(refused);
    expect(await casino.create(order)).toMatchObject({ status: 503 });
    expect((await service.call('GET', '/health/ready')).text).toContain(said);
    expect(await pools()).toEqual(free);

    await served[way](own);
    await shownAs(casino, decided, 'accepted');
    expect(await told.read()).toMatchObject({ decision: 'pending', status: 'Pending' });
    await eventually(asked.accept, ({ status }) => status === 200, 10_000);
    expect(await casino.create(order)).toMatchObject({ status: 200 });
    expect(await outcomes()).toEqual(signals.map(() => 'applied'));
    expect(await outcomes()).toEqual(signals.map(() => 'duplicate'));
    expect(await told.accept()).toMatchObject({ status: 200 });
    for (const each of [told, decided, asked]) await shownAs(casino, each, 'accepted');
  },
  300_000,
);

it('What is asked of a history that lacks its end beside such a copy is refused as all is, and its alarm goes with the copy', async () => {
  const { service, putBack, exchange, directory, casino } = await opened();
  const decided = await casino.deposit();
  await shownAs(casino, decided, 'pending');
  const [old, own] = [aDirectory(), aDirectory()];
  cpSync(directory, old, { recursive: true });
  await decided.settle();
  await later(1_500);
  cpSync(directory, own, { recursive: true });
  await putBack(old);
  const { engineToken } = service.access();
  const signals = toldOf(decided)
    .slice(0, 1)
    .map((each) => ({ ...each, signal_id: randomUUID() }));
  const until = performance.now() + 12_000;
  while (performance.now() < until) {
    expect(await decided.accept()).toMatchObject({ status: 503 });
    const answer = await service.operator('POST', '/engine/signals', { signals }, engineToken);
    expect(answer).toMatchObject({ status: 503 });
    await later(500);
  }
  await exchange(own);
  await eventually(decided.accept, ({ status }) => status === 200, 30_000);
  await eventually(
    () => service.call('GET', '/health/ready'),
    ({ text }) => !text.includes('alarms'),
    20_000,
  );
}, 300_000);
