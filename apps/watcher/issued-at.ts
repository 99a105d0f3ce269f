import { depositEventOf, depositStream } from '#deposit-commands';
import { BrokenHistory } from '#event-log';
import type { Ground } from '#ground';
import { loadTransaction } from '#legacy-commands';
import type { Owner } from '#watch';

type Log = Pick<Ground, 'log'>;

/** Its quote may be older: it waits for an address where the pool is empty. */
const depositGiven = async ({ log }: Log, depositId: number): Promise<string | undefined> => {
  let at: string | undefined;
  for await (const recorded of log.read(depositStream(depositId))) {
    const event = depositEventOf(recorded);
    if (event.type === 'QuoteIssued') at = event.data.terms.issuedAt;
    if (event.type === 'AddressAssigned') at = event.data.at;
  }
  return at;
};

const transactionStarted = async ({ log }: Log, transactionId: number): Promise<string | undefined> => {
  const { state } = await loadTransaction(log, transactionId);
  return state.stage === 'none' ? undefined : state.terms.startedAt;
};

/** With its address. What one with a broken history is paid is told all the same: it waits for that to be mended. */
export const issuedAtIn =
  (ground: Log) =>
  async ({ depositId, transactionId }: Owner): Promise<Date | undefined> => {
    try {
      const at =
        depositId === null
          ? await transactionStarted(ground, transactionId ?? 0)
          : await depositGiven(ground, depositId);
      return at === undefined ? undefined : new Date(at);
    } catch (error) {
      if (error instanceof BrokenHistory) return undefined;
      throw error;
    }
  };
