import type { EventStoreDBClient } from '@eventstore/db-client';

/** What gRPC calls a channel that has a connection, and one that never will again. */
const [READY, SHUTDOWN] = [2, 4];

type Channel = {
  readonly getConnectivityState: (connect: boolean) => number;
  readonly watchConnectivityState: (from: number, until: number, onChange: () => void) => void;
};

export type Reached = {
  /** Grows whenever what is asked next may come to another server than what was asked before. */
  readonly times: () => number;
  readonly watch: (client: EventStoreDBClient) => void;
};

/** As the client makes its channels, of which it tells nobody. */
const MAKES = 'createChannel';

/**
 * The client connects anew by itself, also where nobody asked anything meanwhile, and says so to nobody. What answers then
 * may be another server under the same address.
 */
export const createReached = (): Reached => {
  let times = 0;

  const watchStates = (channel: Channel): void => {
    const state = channel.getConnectivityState(false);
    if (state === SHUTDOWN) return;
    channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, () => {
      if (state === READY) times += 1;
      watchStates(channel);
    });
  };

  return {
    times: () => times,
    watch: (client) => {
      const make: unknown = Reflect.get(client, MAKES);
      if (typeof make !== 'function') throw new TypeError(`the client of EventStoreDB has no ${MAKES} to be watched`);
      const watched = async (): Promise<Channel> => {
        const channel: Channel = await make.call(client);
        times += 1;
        watchStates(channel);
        return channel;
      };
      Reflect.set(client, MAKES, watched);
    },
  };
};
