import type { ChainsBody } from '../../../chains/chain-bodies.ts';
import type { InstancesBody } from '../../../installation/instance-bodies.ts';
import type { ProjectionsBody } from '../../../projections/projection-body.ts';
import { useLoad } from '../parts/load.ts';
import { Page, State } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useCan } from '../session/session.ts';

/** As the installation names it. */
export const PLAYED = 'payments and screening';

type Installation = {
  readonly simulated: readonly string[];
  readonly settings: readonly { readonly name: string; readonly value: string }[];
};

const Chains = () => {
  const can = useCan();
  const loaded = useLoad<ChainsBody>(can('listChains') ? '/operator/chains' : undefined, { every: 5_000 });
  return loaded.data ? (
    <Table
      caption="Chains"
      none="No chain is watched here."
      rows={loaded.data.chains}
      keyOf={({ currency }) => currency}
      columns={[
        { head: 'Currency', text: ({ currency }) => currency },
        { head: 'Height', text: ({ height }) => String(height ?? '–'), numeric: true },
        { head: 'In the way', text: ({ held }) => held?.reason ?? '–' },
        { head: 'Unconfirmed', text: ({ unconfirmed }) => String(unconfirmed), numeric: true },
        { head: 'Not told yet', text: ({ unsent }) => String(unsent), numeric: true },
      ]}
    />
  ) : (
    <State of={loaded} />
  );
};

const Instances = () => {
  const can = useCan();
  const loaded = useLoad<InstancesBody>(can('listInstances') ? '/operator/instances' : undefined, { every: 5_000 });
  return loaded.data ? (
    <Table
      caption="Processes"
      rows={loaded.data.instances}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Machine', text: ({ host, pid }) => `${host}, process ${pid}` },
        { head: 'Runs', text: ({ apps }) => apps.join(', ') },
        { head: 'Version', text: ({ version }) => version },
        { head: 'Since', text: ({ started_at }) => started_at, cell: ({ started_at }) => <Time at={started_at} /> },
        {
          head: 'Last seen',
          text: ({ seen_at }) => seen_at,
          cell: ({ seen_at, alive }) => (
            <span class={alive ? '' : 'problem'}>
              <Time at={seen_at} />
              {alive ? '' : ' (silent)'}
            </span>
          ),
        },
      ]}
    />
  ) : (
    <State of={loaded} />
  );
};

/** What of this installation is played, how far its parts are behind, and how it is set, without its secrets. */
export const System = () => {
  const installation = useLoad<Installation>('/operator/installation');
  const models = useLoad<ProjectionsBody>('/operator/projections', { every: 5_000 });
  return (
    <Page title="System" loaded={models}>
      {installation.data && (
        <p>Simulated here: {installation.data.simulated.join(', ') || 'nothing'}. What is simulated is not real.</p>
      )}
      <Instances />
      {models.data && (
        <Table
          caption="Read models"
          rows={models.data.projections}
          keyOf={({ name }) => name}
          columns={[
            { head: 'Read model', text: ({ name }) => name },
            { head: 'Run by', text: ({ owner }) => (owner ? (owner.address ?? 'this machine') : 'nobody') },
            { head: 'Behind by', text: ({ lag_events }) => `${lag_events} events`, numeric: true },
          ]}
        />
      )}
      <Chains />
      {installation.data && (
        <Table
          caption="Settings of the process that answered, without secrets"
          rows={installation.data.settings}
          keyOf={({ name }) => name}
          columns={[
            { head: 'Setting', text: ({ name }) => name },
            { head: 'Value', text: ({ value }) => value || '–' },
          ]}
        />
      )}
    </Page>
  );
};
