import { Flag, Int, Text, Time, Word } from '#door/fields';
import { webhookEvents } from '#webhooks';

/** Fields that several payloads have. */
export const EventName = () => Word(webhookEvents, 'Name of the event', 'deposit.accepted');

export const Timestamp = () => Int('When it happened, in Unix seconds', 1767225840);

export const TestMark = () =>
  Flag.optional('On test events alone, absent otherwise: such an event must not credit anyone', undefined, {
    enum: [true],
  });

export const DecisionTime = () => Time('When it was decided', '2026-01-01T00:04:00.000Z');

export const Address = () =>
  Text.orNull('Where the player pays; null while the deposit has no address', 'bc1q-the-address-of-this-deposit');

export const NoConf = () => Flag('Created with no_conf or instant', false);
