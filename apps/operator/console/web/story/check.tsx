import { useEffect, useState } from 'preact/hooks';
import { call, reasonOf } from '../calls.ts';
import { changedBetween, type Facts, textOf } from './fold.ts';

type Found = { readonly row?: Facts; readonly problem?: string };

/** The row that partners are served from, held against what the history adds up to. */
export const Check = ({ id, facts, turn }: { id: string; facts: Facts; turn: number }) => {
  const [{ row, problem }, setFound] = useState<Found>({});
  // A longer history is another row.
  useEffect(() => {
    setFound({});
    call<Facts>(`/operator/deposits/${id}`, { byItself: true }).then(
      (loaded) => setFound({ row: loaded }),
      (error: unknown) => setFound({ problem: reasonOf(error) }),
    );
  }, [id, turn]);
  if (problem) return <p class="problem">The row cannot be read: {problem}</p>;
  if (!row) return <p>Reading the row…</p>;
  const names = [...changedBetween(facts, row)];
  return names.length === 0 ? (
    <p class="good">The row that partners are served from is what the history adds up to.</p>
  ) : (
    <div class="problem" role="alert">
      <p>
        The row that partners are served from is not what the history adds up to; rebuild the read model “deposits”:
      </p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            {name}: the row says {textOf(row[name])}, the history {textOf(facts[name])}
          </li>
        ))}
      </ul>
    </div>
  );
};
