/** The members of one group of Kafka must all want the same topics; those of the bus may differ. */
export const groupIdOf = (group: string, topic: string): string => `${group}.${topic}`;
