import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyStore } from '../key-store.ts';

export type BrokerPlace = {
  /** The first is the controller too. */
  readonly nodeId: number;
  readonly folder: string;
  readonly port: number;
  readonly controllerPort: number;
  /** Instead of plain text: TLS with this key store, and a login. */
  readonly secured?: Secured | undefined;
};

export type Secured = {
  readonly keyStore: KeyStore;
  readonly username: string;
  readonly password: string;
};

const securityOf = ({ keyStore, username, password }: Secured): Record<string, string> => ({
  'inter.broker.listener.name': 'SASL_SSL',
  'listener.security.protocol.map': 'SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT',
  'ssl.keystore.type': 'PKCS12',
  'ssl.keystore.location': keyStore.file,
  'ssl.keystore.password': keyStore.password,
  'ssl.truststore.type': 'PKCS12',
  'ssl.truststore.location': keyStore.file,
  'ssl.truststore.password': keyStore.password,
  'sasl.enabled.mechanisms': 'PLAIN',
  'sasl.mechanism.inter.broker.protocol': 'PLAIN',
  'listener.name.sasl_ssl.plain.sasl.jaas.config':
    `org.apache.kafka.common.security.plain.PlainLoginModule required username="${username}" password="${password}" ` +
    `user_${username}="${password}";`,
});

/**
 * One process that is broker and controller, and others that are brokers alone. The coordinators' own topics have one partition each, so that a start does
 * not wait for a hundred of them; the sessions of the broker are short, so that it may register soon after a kill.
 */
const settingsOf = ({
  nodeId,
  folder,
  port,
  controllerPort,
  secured,
}: BrokerPlace): Record<string, string | number | boolean> => ({
  'process.roles': nodeId === 1 ? 'broker,controller' : 'broker',
  'node.id': nodeId,
  'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
  'controller.listener.names': 'CONTROLLER',
  listeners: `${secured ? 'SASL_SSL' : 'PLAINTEXT'}://127.0.0.1:${port}${nodeId === 1 ? `,CONTROLLER://127.0.0.1:${controllerPort}` : ''}`,
  'advertised.listeners': `${secured ? 'SASL_SSL' : 'PLAINTEXT'}://127.0.0.1:${port}`,
  'log.dirs': join(folder, `logs-${nodeId}`),
  'auto.create.topics.enable': false,
  'offsets.topic.replication.factor': 1,
  'offsets.topic.num.partitions': 1,
  'transaction.state.log.replication.factor': 1,
  'transaction.state.log.min.isr': 1,
  'transaction.state.log.num.partitions': 1,
  'group.initial.rebalance.delay.ms': 0,
  'broker.heartbeat.interval.ms': 500,
  'broker.session.timeout.ms': 2000,
  'log.cleaner.dedupe.buffer.size': 8_000_000,
  ...(secured && securityOf(secured)),
});

export const writeProperties = async (place: BrokerPlace): Promise<string> => {
  const file = join(place.folder, `server-${place.nodeId}.properties`);
  const lines = Object.entries(settingsOf(place)).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(file, lines.join(''));
  return file;
};
