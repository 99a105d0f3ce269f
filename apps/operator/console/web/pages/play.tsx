import { call } from '../calls.ts';
import { Act } from '../parts/act.tsx';
import { useLoad } from '../parts/load.ts';
import { Page } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { linkTo } from '../router.ts';
import { PLAYED } from './system.tsx';

/** As the engine's app tells them: no app knows another. */
type Scenarios = { readonly scenarios: readonly { readonly name: string; readonly sentence: string }[] };

const Scenario = ({ name, sentence }: Scenarios['scenarios'][number]) => (
  <Act
    needs="simulate"
    text="Play"
    label={`Play ${name}`}
    ask={{
      title: `Play “${name}”`,
      label: 'Play it',
      fields: [
        { name: 'deposit_id', label: 'Deposit (id)', pattern: '[0-9]+', hint: 'An id of digits' },
        { name: 'amount', label: 'Amount of the coin (empty: what is asked)', optional: true },
      ],
      children: <p>{sentence}</p>,
      act: (_reason, { deposit_id, ...more }) => {
        const body = { ...more, deposit_id: Number(deposit_id), scenario: name };
        return call('/engine/simulate', { method: 'POST', body });
      },
      shows: (answer) => {
        const { deposit_id, steps } = answer as { deposit_id: number; steps: readonly unknown[] };
        return (
          <p>
            {steps.length} steps follow: <a href={linkTo(`/deposits/${deposit_id}`)}>deposit {deposit_id}</a>.
          </p>
        );
      },
    }}
  />
);

/** What a chain could do, without one. */
export const Play = () => {
  const installation = useLoad<{ simulated: readonly string[] }>('/operator/installation');
  const isPlayed = installation.data?.simulated.includes(PLAYED);
  const loaded = useLoad<Scenarios>(isPlayed ? '/engine/simulate' : undefined);
  return (
    <Page title="Play" loaded={isPlayed === false ? installation : loaded}>
      {isPlayed === false && <p>Payments are real here: there is nothing to play.</p>}
      {loaded.data && (
        <Table
          caption="What the simulated engine can play"
          rows={loaded.data.scenarios}
          keyOf={({ name }) => name}
          columns={[
            { head: 'Scenario', text: ({ name }) => name },
            { head: 'What happens', text: ({ sentence }) => sentence },
            { head: 'Act', text: () => '', cell: (scenario) => <Scenario {...scenario} /> },
          ]}
        />
      )}
    </Page>
  );
};
