import { setTimeout as delay } from 'node:timers/promises';
import { type DepositHandle, done, type Service } from '../../../acceptance/harness/index.ts';
import { historyOf, type Told } from '../driver/live.ts';

type Chain = {
  readonly currency: string;
  readonly hash: string;
  readonly unsent: number;
  readonly unconfirmed: number;
};

/** Until the watcher stands where the node does, and has told all there was to tell. */
export const untilFollowed = async (service: Service, coin: string, tip: () => Promise<string>): Promise<void> => {
  let calm = 0;
  for (const until = Date.now() + 180_000; calm < 6; await delay(500)) {
    const chains = done(await service.operator('GET', '/operator/chains')).chains as readonly Chain[];
    const chain = chains.find(({ currency }) => currency === coin);
    const isCalm = chain?.hash === (await tip()) && chain.unsent === 0 && chain.unconfirmed === 0;
    calm = isCalm ? calm + 1 : 0;
    if (Date.now() > until) throw new Error(`the watcher does not come to rest: ${JSON.stringify(chain)}`);
  }
};

export const historiesOf = async (
  service: Service,
  deposits: readonly DepositHandle[],
): Promise<ReadonlyMap<number, readonly Told[]>> => {
  const histories = new Map<number, readonly Told[]>();
  for (const deposit of deposits) histories.set(deposit.id, await historyOf(service, deposit));
  return histories;
};
