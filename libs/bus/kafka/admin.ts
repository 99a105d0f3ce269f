import type { Admin, Kafka } from 'kafkajs';
import { patiently } from './patiently.ts';

/** A connection for one question: it cannot be one that a restart of the brokers has made useless. */
export const withAdmin = async <T>(kafka: Kafka, ask: (admin: Admin) => Promise<T>): Promise<T> => {
  const admin = kafka.admin();
  try {
    await admin.connect();
    return await patiently(() => ask(admin));
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
};
