import { useEffect, useRef } from 'preact/hooks';
import type { ProjectionBody } from '../../../projections/projection-body.ts';
import { call } from '../calls.ts';
import { Act } from '../parts/act.tsx';
import { useLoad } from '../parts/load.ts';

type Seen = { readonly at: number; readonly events: number };

/** Events a second, and the seconds that are left at that rate; undefined before there is one. */
const paceOf = (first: Seen, now: Seen, total: number): readonly [rate: number, left: number] | undefined => {
  const rate = ((now.events - first.events) / Math.max(1, now.at - first.at)) * 1_000;
  return rate > 0 ? [Math.round(rate), Math.max(0, Math.ceil((total - now.events) / rate))] : undefined;
};

const Progress = ({ rebuild: { events, total, mode, held } }: { rebuild: NonNullable<ProjectionBody['rebuild']> }) => {
  const first = useRef<Seen>(undefined);
  first.current ??= { at: Date.now(), events };
  // While traffic flows the total grows as well: what was reached once stays reached.
  const reached = useRef(0);
  reached.current = Math.max(reached.current, Math.min(1, events / Math.max(1, total)));
  const pace = paceOf(first.current, { at: Date.now(), events }, total);
  const said = held ? 'It has caught up and waits for the switch.' : `${events} of ${total} events`;
  return (
    <section aria-label="Rebuild">
      <h2>Rebuild (mode {mode})</h2>
      <progress aria-label="Progress of the rebuild" value={reached.current} max={1} />
      <p>
        {said}
        {!held && pace && `, ${pace[0]} a second, about ${pace[1]} s left`}
      </p>
    </section>
  );
};

const Differences = ({ name, turn }: { name: string; turn: string }) => {
  const loaded = useLoad<object>(`/operator/projections/${encodeURIComponent(name)}/differences`);
  const { reload } = loaded;
  // What a rebuild found is there once it is done.
  useEffect(reload, [turn, reload]);
  return loaded.data ? (
    <>
      <h2>What the last comparison found</h2>
      <pre>{JSON.stringify(loaded.data, null, 2)}</pre>
    </>
  ) : null;
};

type RebuildProps = { readonly name: string; readonly row: ProjectionBody; readonly onDone: () => void };

export const Rebuild = ({ name, row, onDone }: RebuildProps) => {
  const path = `/operator/projections/${encodeURIComponent(name)}`;
  const { rebuild } = row;
  return (
    <>
      {rebuild && <Progress rebuild={rebuild} />}
      {rebuild && (
        <div class="buttons">
          {rebuild.held && (
            <Act
              needs="switchProjection"
              text="Switch"
              ask={{
                title: `Switch ${name}`,
                label: 'Switch',
                dangerous: true,
                children: <p>The new rows take the place of those that readers see, all at once.</p>,
                act: (reason) => call(`${path}/switch`, { method: 'POST', reason }).then(onDone),
              }}
            />
          )}
          <Act
            needs="cancelRebuild"
            text="End the rebuild"
            ask={{
              title: `End the rebuild of ${name}`,
              label: 'End it',
              children: <p>The new rows are dropped; those that readers see stay as they are.</p>,
              act: () => call(`${path}/rebuild`, { method: 'DELETE' }).then(onDone),
            }}
          />
        </div>
      )}
      <Differences name={name} turn={`${rebuild?.held} ${row.state}`} />
    </>
  );
};
