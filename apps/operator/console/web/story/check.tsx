import { useEffect, useState } from 'preact/hooks';
import type { EventsBody } from '../../../history/event-body.ts';
import { call, reasonOf } from '../calls.ts';
import { PATIENCE_MS, unheard } from '../parts/patience.ts';
import { changedBetween, type Facts, textOf } from './fold.ts';

type Found = { readonly of: string; readonly differences?: readonly string[]; readonly problem?: string };

type CheckProps = {
  readonly id: string;
  readonly facts: Facts;
  /** How many events they come of. */
  readonly turn: number;
};

/** Undefined: they are of different events. */
const differencesIn = async (
  { id, facts, turn }: CheckProps,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> => {
  const path = `/operator/deposits/${id}`;
  const row = await call<Facts>(path, { byItself: true, signal });
  const names = [...changedBetween(facts, row)];
  if (names.length === 0) return [];
  // What comes between the two readings is in the row alone: they are compared once the history has it too.
  const since = await call<EventsBody>(`${path}/events?cursor=${turn}&limit=1&raw=true`, { byItself: true, signal });
  if (since.events.length > 0) return undefined;
  return names.map((name) => `${name}: the row says ${textOf(row[name])}, the history ${textOf(facts[name])}`);
};

/** The row that partners are served from, held against what the history adds up to. */
export const Check = (props: CheckProps) => {
  const { id, turn } = props;
  const of = `${id} ${turn}`;
  const [found, setFound] = useState<Found>({ of });
  const [asked, setAsked] = useState(0);
  // A longer history is another row.
  useEffect(() => {
    const abort = new AbortController();
    let left = false;
    const timer = setTimeout(() => abort.abort(), PATIENCE_MS);
    differencesIn(props, abort.signal).then(
      (differences) => setFound({ of, ...(differences && { differences }) }),
      (error: unknown) => {
        if (left) return;
        const isUnheard = abort.signal.aborted;
        setFound({ of, problem: isUnheard ? unheard(PATIENCE_MS) : reasonOf(error) });
        if (isUnheard) setAsked((before) => before + 1);
      },
    );
    return () => {
      left = true;
      clearTimeout(timer);
      abort.abort();
    };
  }, [of, asked]);
  const { differences, problem } = found.of === of ? found : {};
  if (problem) return <p class="problem">The row cannot be read: {problem}</p>;
  if (!differences) return <p>Reading the row…</p>;
  return differences.length === 0 ? (
    <p class="good">The row that partners are served from is what the history adds up to.</p>
  ) : (
    <div class="problem" role="alert">
      <p>
        The row that partners are served from is not what the history adds up to; rebuild the read model “deposits”:
      </p>
      <ul>
        {differences.map((difference) => (
          <li key={difference}>{difference}</li>
        ))}
      </ul>
    </div>
  );
};
