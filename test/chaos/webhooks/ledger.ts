import type { Arrival } from './endpoints.ts';
import { type ChaosDeposit, heardOfADeposit, nameOf } from './lives.ts';

type Entry = {
  readonly endpoint: number;
  readonly firstAt: number;
  readonly ids: Set<string>;
  readonly bodies: Set<string>;
  arrivals: number;
};

/** What arrived, by what it tells. */
export const openLedger = () => {
  const entries = new Map<string, Entry>();
  return {
    note: ({ at, endpoint, webhookId, bodyHash, depositId, event }: Arrival): void => {
      const name = `${endpoint}: ${nameOf(depositId, event)}`;
      const entry = entries.get(name) ?? { endpoint, firstAt: at, ids: new Set(), bodies: new Set(), arrivals: 0 };
      entries.set(name, entry);
      entry.ids.add(webhookId);
      entry.bodies.add(bodyHash);
      entry.arrivals += 1;
    },
    /** What these deposits' casinos should have heard, and have not. */
    missing: (deposits: readonly ChaosDeposit[]): readonly string[] =>
      deposits.flatMap(({ depositId, endpoint }) =>
        heardOfADeposit
          .map((event) => `${endpoint}: ${nameOf(depositId, event)}`)
          .filter((expected) => !entries.has(expected)),
      ),
    at: (endpoints: ReadonlySet<number>): readonly Entry[] =>
      [...entries.values()].filter(({ endpoint }) => endpoints.has(endpoint)),
    firstAt: (endpoint: number, name: string): number | undefined => entries.get(`${endpoint}: ${name}`)?.firstAt,
  };
};

export type Ledger = ReturnType<typeof openLedger>;
