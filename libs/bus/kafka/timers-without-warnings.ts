import { createRequire } from 'node:module';

/** What is used here of kafkajs's queue of requests to one broker. */
type RequestQueue = { readonly pending: readonly unknown[]; readonly throttledUntil: number };
type RequestQueueClass = { readonly prototype: { scheduleCheckPendingRequests: (this: RequestQueue) => void } };

const queueOfKafkajs: RequestQueueClass = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js');
const { prototype } = queueOfKafkajs;
const schedule = prototype.scheduleCheckPendingRequests;

/**
 * kafkajs 2.2.4 sets a timer to a time long past whenever nothing waits in a queue, and Node 24 warns of it. Such a timer
 * finds nothing to do: it is not set.
 */
prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
  if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
};
