import { useState } from 'preact/hooks';
import { call, reasonOf } from '../calls.ts';
import { Act } from '../parts/act.tsx';
import { useAsk } from '../parts/confirm.tsx';
import { type Field, FieldRow, valuesIn } from '../parts/fields.tsx';
import { usePulse } from '../parts/pulse.ts';
import { useCan } from '../session/session.ts';

const REPLAY = '/operator/webhook-deliveries/replay';

/** As the server has it: more than that is dangerous. */
const MOST_HARMLESS = 1_000;

const UTC = 'UTC, 2026-01-31T12:00:00Z';

const fields: readonly Field[] = [
  { name: 'entity_id', label: 'Casino to send again (id)', pattern: '[0-9]+', hint: 'An id of digits' },
  { name: 'since', label: `Since (${UTC})` },
  { name: 'until', label: 'Until (now, where it is empty)', optional: true },
  { name: 'only', label: 'Which', words: ['all', 'dead'] },
];

type Replayed = { readonly replayed: number };

/** Everything of a casino since a time, once more: counted first, and what is counted is what is sent. */
export const Replay = () => {
  const can = useCan();
  const ask = useAsk();
  const pulse = usePulse();
  const [said, setSaid] = useState('');
  if (!can('replayWebhookDeliveries')) return null;
  const count = async (form: FormData): Promise<void> => {
    const { entity_id = '', since = '', until = pulse?.at ?? new Date().toISOString(), only } = valuesIn(form);
    const body = { entity_id: Number(entity_id), since, until, only };
    const { replayed: counted } = await call<Replayed>(REPLAY, { method: 'POST', body: { ...body, dry_run: true } });
    setSaid(`${counted} would be sent`);
    if (counted === 0) return;
    ask({
      title: `Send ${counted} webhooks of casino ${entity_id} again`,
      label: `Send ${counted} again`,
      dangerous: counted > MOST_HARMLESS,
      children: (
        <p>
          <strong>{counted}</strong> webhooks of casino {entity_id}, made from {since} until {until}
          {only === 'dead' ? ', that were given up,' : ', delivered ones too,'} are sent again, each with its
          X-Webhook-Id.
        </p>
      ),
      act: async (reason) => {
        const { replayed } = await call<Replayed>(REPLAY, { method: 'POST', body, ...(reason && { reason }) });
        setSaid(`${replayed} are due again`);
      },
    });
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setSaid('Counting…');
    count(new FormData(event.currentTarget as HTMLFormElement)).catch((error: unknown) => setSaid(reasonOf(error)));
  };
  return (
    <details>
      <summary>Send all of a casino again</summary>
      <form class="filters" onSubmit={submit}>
        {fields.map((field) => (
          <FieldRow key={field.name} field={field} />
        ))}
        <button type="submit">Count, then send again…</button>
        <StopReplay />
        <span role="status">{said}</span>
      </form>
    </details>
  );
};

const StopReplay = () => (
  <Act
    needs="stopReplay"
    text="Stop"
    ask={{
      title: 'Stop sending again',
      label: 'Stop it',
      children: <p>What had been delivered before is not sent once more; what never arrived is still tried.</p>,
      fields: [{ name: 'entity_id', label: 'Casino to stop (id)', pattern: '[0-9]+', hint: 'An id of digits' }],
      act: (_reason, { entity_id }) =>
        call('/operator/webhook-deliveries/stop-replay', { method: 'POST', body: { entity_id: Number(entity_id) } }),
      shows: (answer) => <p>{(answer as { stopped: number }).stopped} are not sent again.</p>,
    }}
  />
);
