/**
 * - `unavailable`: the carrier did not answer, or its answer was lost. Whether the messages arrived is unknown: publish
 *   the very same again.
 * - `claim_lost`: another instance of the group may have the partition by now; the batch comes again.
 * - `unknown_topic`: nobody has called `ensureTopic`.
 * - `refused`: this message or name is not taken, now or later; of many messages perhaps for one of them.
 */
export type BusErrorCode = 'unavailable' | 'claim_lost' | 'unknown_topic' | 'refused';

export class BusError extends Error {
  readonly code: BusErrorCode;

  constructor(code: BusErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'BusError';
    this.code = code;
  }
}

export const unknownTopic = (topic: string): BusError =>
  new BusError('unknown_topic', `The bus has no topic "${topic}": call ensureTopic first`);

export const claimLost = (group: string, topic: string, partition: number, cause?: unknown): BusError =>
  new BusError('claim_lost', `Group "${group}" lost its claim on ${topic}/${partition}; the batch comes again`, cause);
