import type pg from 'pg';
import type { Bus, BusConsumer } from '#bus';
import type { Logger } from '#platform/logging';
import { type Named, namedOf } from '../failing/named.ts';
import { keepFailing, subjectsFailing } from '../failing/rows.ts';
import type { TakeParts } from '../take/parts.ts';
import { isUnhandled, MOST_SIGNALS, type TakeSignals } from '../take/take-signals.ts';
import { keepUnnamed } from './keep-unnamed.ts';
import { signalsIn } from './signals-in.ts';

export const SIGNALS_TOPIC = 'engine.signals';
export const SIGNALS_GROUP = 'engine';

export type ConsumeSignals = {
  readonly bus: Bus;
  /** Of the tables of the engine. */
  readonly pool: pg.Pool;
  readonly takeSignals: TakeSignals;
  readonly ownerOfAddress: TakeParts['ownerOfAddress'];
  readonly logger: Logger;
};

const chunksOf = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, nth) => items.slice(nth * size, (nth + 1) * size));

const isNamed = (each: Named | undefined): each is Named => each !== undefined;

/** Nobody sends again what was acknowledged: what a fault of ours kept from being handled is kept and handed in again. */
const takeOrKeep = async (
  { pool, takeSignals, ownerOfAddress, logger }: Omit<ConsumeSignals, 'bus'>,
  signals: readonly unknown[],
): Promise<void> => {
  const named = await namedOf(signals, ownerOfAddress);
  const failing = await subjectsFailing(pool, [...new Set(named.filter(isNamed).map(({ subject }) => subject))]);
  const isBehind = (each: Named | undefined): boolean => each !== undefined && failing.has(each.subject);
  const free = signals.flatMap((raw, nth) => (isBehind(named[nth]) ? [] : [{ raw, named: named[nth] }]));
  const answers = await takeSignals(
    free.map(({ raw }) => raw),
    'engine',
  );
  const failed = free.flatMap((each, nth) => (answers[nth] && isUnhandled(answers[nth]) ? [each.named] : []));
  const kept = [...named.filter(isBehind), ...failed].filter(isNamed);
  await keepFailing(pool, kept);
  if (kept.length > 0)
    logger.error(
      { alert: 'signals_failing', signals: kept.length, first: kept[0]?.signalId },
      'signals off the bus could not be handled: they are kept and handed in again, and others pass meanwhile',
    );
};

/** Takes the same signals off the bus. While a store does not answer, the batch stays on the bus and comes again. */
export const consumeSignals = async ({ bus, ...parts }: ConsumeSignals): Promise<BusConsumer> => {
  await bus.ensureTopic(SIGNALS_TOPIC);
  return bus.consume({
    topic: SIGNALS_TOPIC,
    group: SIGNALS_GROUP,
    onBatch: async (messages, alive) => {
      for (const lying of chunksOf(messages.flatMap(signalsIn), MOST_SIGNALS)) {
        await takeOrKeep(parts, await keepUnnamed(parts, lying));
        await alive();
      }
    },
  });
};
