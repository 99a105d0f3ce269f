import { type ICustomPartitioner, Partitioners } from 'kafkajs';

/** Where it is still being chosen: nothing of the send goes out. */
const NOBODY = -1;

/** Nothing is known of the send but that it was not all of it: it has to come again whole. */
class PartitionMoved extends Error {
  override readonly name = 'PartitionMoved';
}

export type SteadyPartitioner = {
  readonly create: ICustomPartitioner;
  /** Before each send. */
  readonly forget: () => void;
};

/**
 * kafkajs repeats a send to several brokers for those that failed, and passes over what has moved meanwhile to one that
 * had answered already: it is on no broker, and counts as sent. So a send is given up where a partition has another
 * leader than at its first try.
 */
export const steadyPartitioner = (): SteadyPartitioner => {
  const leaders = new Map<string, number>();
  return {
    forget: () => leaders.clear(),
    create: () => {
      const choose = Partitioners.DefaultPartitioner();
      return (message) => {
        const partition = choose(message);
        const place = `${message.topic}/${partition}`;
        const leader = message.partitionMetadata.find(({ partitionId }) => partitionId === partition)?.leader;
        if (leader === undefined || leader === NOBODY) return partition;
        if ((leaders.get(place) ?? leader) !== leader) throw new PartitionMoved(`${place} has another leader`);
        leaders.set(place, leader);
        return partition;
      };
    },
  };
};
