import type { Bus, BusConsumer, Delivered } from '#bus';
import type { Logger } from '#platform/logging';
import { MOST_SIGNALS, type TakeSignals } from '../take/take-signals.ts';

const isList = (message: unknown): message is { readonly signals: readonly unknown[] } =>
  typeof message === 'object' && message !== null && 'signals' in message && Array.isArray(message.signals);

/** The signals of one message: one object, or a list of them as HTTP takes it. Undefined when it is no JSON. */
const signalsIn = (value: string): readonly unknown[] | undefined => {
  try {
    const message: unknown = JSON.parse(value);
    return isList(message) ? message.signals : [message];
  } catch {
    return undefined;
  }
};

export const SIGNALS_TOPIC = 'engine.signals';
const GROUP = 'engine';

export type ConsumeSignals = {
  readonly bus: Bus;
  readonly takeSignals: TakeSignals;
  readonly logger: Logger;
};

const chunksOf = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, nth) => items.slice(nth * size, (nth + 1) * size));

/** Takes the same signals off the bus. While a store does not answer, the batch stays on the bus and comes again. */
export const consumeSignals = async ({ bus, takeSignals, logger }: ConsumeSignals): Promise<BusConsumer> => {
  await bus.ensureTopic(SIGNALS_TOPIC);

  const read = ({ id, value }: Delivered): readonly unknown[] => {
    const signals = signalsIn(value);
    if (!signals)
      logger.warn({ message_id: id, value: value.slice(0, 200) }, 'a message with signals is not JSON: skipped');
    return signals ?? [];
  };

  return bus.consume({
    topic: SIGNALS_TOPIC,
    group: GROUP,
    onBatch: async (messages, alive) => {
      for (const signals of chunksOf(messages.flatMap(read), MOST_SIGNALS)) {
        await takeSignals(signals, 'engine');
        await alive();
      }
    },
  });
};
