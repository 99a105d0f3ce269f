import type pg from 'pg';
import type { Logger } from '#platform/logging';
import { withinTime } from '#platform/pause';
import { reasonOf } from '#platform/reason';
import type { MessageCarrier } from '../carriers/carrier.ts';
import type { MessageKind } from '../message.ts';
import { type Claimed, claimDue } from './claim.ts';
import { settleNotSent } from './settle.ts';

export type Carriers = Readonly<Record<MessageKind, MessageCarrier>>;

export type Sending = {
  readonly pool: pg.Pool;
  readonly carriers: Carriers;
  readonly logger: Logger;
  /** After so many a message is failed. */
  readonly attempts: number;
  readonly settleSent: (claimed: Claimed) => Promise<undefined>;
};

const AT_ONCE = 50;

/** Well within the lease, so that no other instance begins while this one still tries. */
const LONGEST_MS = 60_000;

const notSent = async ({ pool, logger, attempts }: Sending, claimed: Claimed, error: unknown): Promise<void> => {
  const { message, attempt } = claimed;
  const last = attempt >= attempts;
  const fields = { message: message.id, kind: message.kind, attempt, err: error };
  if (last) logger.error(fields, `an ${message.kind} to a player could not be sent and is given up`);
  else logger.warn(fields, `an ${message.kind} to a player could not be sent now and will be tried again`);
  await settleNotSent(pool, claimed, { reason: reasonOf(error), last });
};

const sendOne = async (sending: Sending, claimed: Claimed): Promise<void> => {
  try {
    await withinTime(sending.carriers[claimed.message.kind].send(claimed.message), LONGEST_MS);
  } catch (error) {
    await notSent(sending, claimed, error);
    return;
  }
  await sending.settleSent(claimed);
};

/** Sends what is due of this kind now; true when there may be more. */
export const sendDue = async (sending: Sending, kind: MessageKind): Promise<boolean> => {
  const claimed = await claimDue(sending.pool, kind, AT_ONCE);
  await Promise.all(claimed.map((each) => sendOne(sending, each)));
  return claimed.length === AT_ONCE;
};
