import type { Configuration } from './configuration.ts';

const ofKafka = (name: string): boolean => name.startsWith('KAFKA_');
const ofEventStore = (name: string): boolean => name === 'EVENTSTORE_URL';

/** Of what one has to choose to have the others heeded. A choice that is not made shows as `false`. */
const isSaid = ({ value }: Configuration['shown'][number]): boolean => value !== '' && value !== 'false';

/**
 * A line for what is set and changes nothing, because it is of a store or a bus that is not taken. No refusal: one shell
 * may hold the settings of several processes, and who goes back to Postgres may keep those of before beside it.
 */
export const idleSettings = ({
  shown,
  eventStore,
  bus,
}: Pick<Configuration, 'shown' | 'eventStore' | 'bus'>): readonly string[] => {
  const said = shown.filter(isSaid).map(({ name }) => name);
  const idle = (names: readonly string[], choice: string): readonly string[] =>
    names.length > 0 ? [`not heeded without ${choice}: ${names.join(', ')}`] : [];
  return [
    ...(eventStore.kind === 'eventstoredb' ? [] : idle(said.filter(ofEventStore), 'EVENT_STORE=eventstoredb')),
    ...(bus.kind === 'kafka' ? [] : idle(said.filter(ofKafka), 'BUS=kafka')),
  ];
};
