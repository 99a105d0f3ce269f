import type { ProjectionBody, ProjectionsBody } from '../../../projections/projection-body.ts';
import { call } from '../calls.ts';
import { Act } from '../parts/act.tsx';
import { linkColumn } from '../parts/columns.tsx';
import { useLoad } from '../parts/load.ts';
import { Page } from '../parts/page.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Rebuild } from './rebuild.tsx';

const stateOf = ({ state, stopped }: ProjectionBody): string => (stopped ? 'stopped' : state);

const failureOf = ({ failure }: ProjectionBody): string => {
  if (!failure) return '–';
  return `${failure.reason}${failure.event ? `, at ${JSON.stringify(failure.event)}` : ''}`;
};

const columns: readonly Column<ProjectionBody>[] = [
  linkColumn('Read model', '/projections', ({ name }) => name),
  { head: 'Version', text: ({ version }) => String(version), numeric: true },
  {
    head: 'State',
    text: stateOf,
    cell: (row) => <span class={row.stopped ? 'severity-critical' : ''}>{stateOf(row)}</span>,
  },
  {
    head: 'Behind by',
    text: ({ lag_events }) => (lag_events >= 10_000 ? '10000 events or more' : `${lag_events} events`),
    numeric: true,
  },
  { head: 'For', text: ({ lag_ms }) => `${Math.round(lag_ms / 1_000)} s`, numeric: true },
  {
    head: 'Rebuilt',
    text: ({ progress }) => (progress === null ? '–' : `${Math.floor(progress * 100)} %`),
    numeric: true,
  },
  { head: 'What stopped it', text: failureOf },
  {
    head: 'Damaged streams',
    text: ({ damaged_streams, damage }) =>
      damaged_streams === 0 ? '–' : `${damaged_streams}: ${damage.map(({ stream }) => stream).join(', ')}`,
  },
];

export const Projections = () => {
  const loaded = useLoad<ProjectionsBody>('/operator/projections', { live: true });
  return (
    <Page title="Read models" loaded={loaded}>
      {loaded.data && (
        <Table
          caption="How far each is behind the log"
          columns={columns}
          rows={loaded.data.projections}
          keyOf={({ name }) => name}
        />
      )}
    </Page>
  );
};

const MODES = [
  ['check', 'Compare', 'is filled anew, compared with what is served, and dropped: nothing changes for anybody'],
  ['hold', 'Compare and wait', 'is filled anew, compared, and waits for your switch'],
  ['switch', 'Rebuild', 'is filled anew and takes the place of what is served as soon as it has caught up'],
] as const;

/** One read model: its rebuild to watch, and to begin. */
export const Projection = ({ id: name }: { id: string }) => {
  const path = `/operator/projections/${encodeURIComponent(name)}`;
  const loaded = useLoad<ProjectionBody>(path, { every: 500 });
  const row = loaded.data;
  return (
    <Page title={`Read model ${name}`} loaded={loaded}>
      {row && (
        <>
          <Table caption="Now" columns={columns} rows={[row]} keyOf={() => name} />
          <Rebuild name={name} row={row} onDone={loaded.reload} />
          {row.state === 'live' && (
            <div class="buttons">
              {MODES.map(([mode, label, what]) => (
                <Act
                  key={mode}
                  needs="rebuildProjection"
                  text={label}
                  ask={{
                    title: `${label}: ${name}`,
                    label,
                    dangerous: mode === 'switch',
                    children: <p>{`${name} ${what}. Readers see the rows of now meanwhile.`}</p>,
                    act: (reason) =>
                      call(`${path}/rebuild`, { method: 'POST', body: { mode }, reason }).then(loaded.reload),
                  }}
                />
              ))}
            </div>
          )}
        </>
      )}
    </Page>
  );
};
