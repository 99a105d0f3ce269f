import { setTimeout as delay } from 'node:timers/promises';
import { ask, type Place } from './place.ts';

type Shown = {
  readonly status: string;
  readonly decision: string;
  readonly confirmed_crypto: number | null;
  readonly crypto_amount: number;
};

const words = ({ status, decision, confirmed_crypto, crypto_amount }: Shown): string =>
  `${status}, ${confirmed_crypto ?? 0} of ${crypto_amount} BTC, ${decision}`;

type Said = { readonly revision: number; readonly words: string };

/** What became of it since, event by event, as its casino reads it. */
const sayMoves = async ({ url, operatorToken: token }: Place, id: number, said: Said | undefined): Promise<Said> => {
  const deposit = `${url}/operator/deposits/${id}`;
  const { events } = await ask<{ events: readonly { revision: number }[] }>(`${deposit}/events`, 'GET', { token });
  let last = said ?? { revision: -1, words: '' };
  for (const { revision } of events.slice(last.revision + 1)) {
    const now = words(await ask<Shown>(`${deposit}?revision=${revision}`, 'GET', { token }));
    if (now !== last.words) console.log(`deposit ${id}: ${now}`);
    last = { revision, words: now };
  }
  return last;
};

/** Says each change of each deposit, until the service is gone. */
export const showMoves = async (place: Place, signal: AbortSignal): Promise<void> => {
  const { url, key, entityId } = place;
  const list = `${url}/casino/deposits?entity_id=${entityId}`;
  const said = new Map<number, Said>();
  while (!signal.aborted) {
    try {
      const { deposits } = await ask<{ deposits: readonly { id: number }[] }>(list, 'GET', { key });
      for (const { id } of deposits) said.set(id, await sayMoves(place, id, said.get(id)));
    } catch (error) {
      // A service that is gone says so by itself.
      if (!(error instanceof TypeError)) throw error;
    }
    await delay(300);
  }
};
