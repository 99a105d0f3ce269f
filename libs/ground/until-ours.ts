import { type EventLog, type ExchangeableLog, LogUnavailable } from '#event-log';
import { pause } from '#platform/pause';
import { askedAnew } from './asked-anew.ts';
import { type WrittenWhole, writtenWhole } from './written-whole.ts';

export type HeldBack = {
  readonly log: EventLog;
  /**
   * From here on held back, until what is returned is called. Each part of a process that asks does so by itself, and says
   * why it has no answer yet.
   */
  readonly hold: (why?: () => string | undefined) => () => void;
  /** How it is asked from here on whether the log is still this installation's. */
  readonly askBy: (ask: () => Promise<void>) => void;
  /** The same of what it lacks of all that was shown: meanwhile it is written nothing. */
  readonly lackBy: WrittenWhole['askBy'];
  /** For what is given out before it is written: as the log itself would refuse that. */
  readonly isWhole: WrittenWhole['isWhole'];
  /** Grows with each sign that it may be another one. */
  readonly exchanges: () => number;
};

/** Nobody waits for it but what follows the log, which is not begun before. */
const LOOK_EVERY_MS = 50;

/**
 * Nothing is appended before the log has said that it is this installation's: one that was away at the start may turn out
 * to be another's, and what was played into its history meanwhile would stay there. Nor is anything read: what is counted
 * and projected of another's history stays in this database, which then fits its own log no more.
 */
export const heldBack = (log: ExchangeableLog): HeldBack => {
  const { exchanges } = log;
  const anew = askedAnew(exchanges);
  const whole = writtenWhole(exchanges);
  log.askBefore({ ...anew, isWhole: whole.isWhole });
  const asking = new Map<symbol, () => string | undefined>();
  let wasAsked = false;
  const isOurs = (): boolean => wasAsked && asking.size === 0;

  const refused = (): LogUnavailable => {
    const [why] = [...asking.values()].flatMap((ask) => ask() ?? []);
    const held = 'the event log has not said yet whose it is: it is sent nothing, and nothing of it is read';
    return new LogUnavailable(why === undefined ? held : `${held} (${why})`);
  };

  const untilOurs = async (): Promise<void> => {
    if (!isOurs()) throw refused();
    await anew.isOurs();
  };

  const calling =
    <Asked extends unknown[], T>(call: (...asked: Asked) => Promise<T>) =>
    async (...asked: Asked): Promise<T> => {
      await untilOurs();
      return call(...asked);
    };

  const reading = <Asked extends unknown[], T>(read: (...asked: Asked) => AsyncIterable<T>) =>
    async function* (...asked: Asked): AsyncGenerator<T> {
      await untilOurs();
      yield* read(...asked);
    };

  /** What another log answered says nothing of this one. */
  const unlessAnother = async (before: number): Promise<void> => {
    if (exchanges() !== before) await anew.isOurs();
  };

  /** By these the log itself is asked whose it is. So none of their tries waits for that: what comes of them does. */
  const answering = <Asked extends unknown[], T>(call: (...asked: Asked) => Promise<T>) =>
    calling(async (...asked: Asked): Promise<T> => {
      const before = exchanges();
      const answer = await call(...asked).catch(async (error: unknown) => {
        if (!(error instanceof LogUnavailable)) await unlessAnother(before);
        throw error;
      });
      await unlessAnother(before);
      return answer;
    });

  const subscribe: EventLog['subscribe'] = (options) => {
    if (isOurs()) return log.subscribe(options);
    const stopping = new AbortController();
    let begun: ReturnType<typeof log.subscribe> | undefined;
    const follow = async (): Promise<void> => {
      while (!isOurs() && !stopping.signal.aborted) await pause(LOOK_EVERY_MS, stopping.signal);
      if (stopping.signal.aborted) return;
      begun = log.subscribe(options);
      await begun.done;
    };
    const done = follow();
    // As of any subscription: whoever only stops it need not listen.
    done.catch(() => undefined);
    return {
      done,
      stop: async () => {
        stopping.abort();
        await begun?.stop();
        await done.catch(() => undefined);
      },
    };
  };

  return {
    log: {
      append: calling(log.append),
      read: reading(log.read),
      lastRevision: calling(log.lastRevision),
      readAll: reading(log.readAll),
      readPages: reading(log.readPages),
      readByStream: reading(log.readByStream),
      subscribe,
      head: answering(log.head),
      holds: answering(log.holds),
      misses: answering(log.misses),
      lacked: log.lacked,
      end: answering(log.end),
      newest: answering(log.newest),
      close: () => {
        anew.end();
        whole.end();
        return log.close();
      },
    },
    askBy: (ask) => anew.askBy(() => log.whileAnswering(ask)),
    lackBy: (ask, onLack) => whole.askBy(() => log.whileAnswering(ask), onLack),
    isWhole: whole.isWhole,
    exchanges,
    hold: (why = () => undefined) => {
      const one = Symbol();
      wasAsked = true;
      asking.set(one, why);
      return () => void asking.delete(one);
    },
  };
};

/** For the counting: that the database is ahead of a log is found before anything of that is counted, whose ever it is. */
export const beforeOurs = (
  log: Pick<EventLog, 'readAll'>,
  { end, head, holds, lacked }: Pick<EventLog, 'end' | 'head' | 'holds' | 'lacked'>,
): Pick<EventLog, 'end' | 'head' | 'holds' | 'lacked' | 'readAll'> => ({
  readAll: log.readAll,
  end,
  head,
  holds,
  lacked,
});
