import {
  accept,
  confirmed,
  freeze,
  giveBack,
  history,
  issue,
  kyt,
  minute,
  money,
  ofac,
  refundBroadcast,
  seen,
  settled,
} from '#deposits/testing';

/** A deposit belongs to the casino that is left when its id is divided by this. */
export const CASINOS = 50;
const PLAYERS = 20_000;

/** Half a year of them in a million. */
const MINUTES_APART = 0.25;
const [RETURNED_EVERY, FROZEN_EVERY] = [101, 1_009];

const decidedOn = (depositId: number, now: string) => {
  if (depositId % FROZEN_EVERY === 0) return [{ ...freeze(), now }];
  if (depositId % RETURNED_EVERY !== 0) return [accept({ now }), { ...settled(`batch-${depositId % 97}`), now }];
  const returnId = depositId;
  return [giveBack({ now, returnId }), refundBroadcast({ returnId, refundTxid: `refund-${depositId}`, at: now, now })];
};

/** Ten events of a deposit that is paid in two parts; nearly all are accepted and settled. */
export const lifeOf = (depositId: number, affiliateId: number) => {
  const begun = depositId * MINUTES_APART;
  const [now, paid, proven, decided] = [0, 1, 3, 5].map((minutes) => minute(begun + minutes)) as [
    ...[string, string, string, string],
  ];
  const parts = [`${depositId}-a`, `${depositId}-b`].map((txid) => ({ txid, vout: 0, at: paid, now: paid }));
  const ids = { depositId, transactionId: depositId, affiliateId, entityId: depositId % CASINOS };
  return history(
    issue({ ...ids, now, gamblerRef: `player-${depositId % PLAYERS}` }),
    { type: 'AssignAddress', now, address: `ltc-of-${depositId}` },
    ...parts.map((part) => seen({ ...part, amount: money('1') })),
    kyt('passed', { at: paid, now: paid }),
    ofac('clear', { at: paid, now: paid }),
    ...parts.map((part) => confirmed({ ...part, at: proven, now: proven })),
    ...decidedOn(depositId, decided),
  );
};
