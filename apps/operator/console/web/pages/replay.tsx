import { useState } from 'preact/hooks';
import { call } from '../calls.ts';
import { useAsk } from '../parts/confirm.tsx';
import { useCan } from '../session/session.ts';

/** Everything of a casino since a time, once more. */
export const Replay = () => {
  const can = useCan();
  const ask = useAsk();
  const [said, setSaid] = useState('');
  if (!can('replayWebhookDeliveries')) return null;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const entity_id = Number(form.get('entity_id'));
    const since = String(form.get('since')).trim();
    ask({
      title: `Send webhooks of casino ${entity_id} again`,
      label: 'Send them again',
      dangerous: true,
      children: (
        <p>
          Every webhook of casino {entity_id} since {since} is sent again, delivered ones too, each with its
          X-Webhook-Id.
        </p>
      ),
      act: async (reason) => {
        const body = { entity_id, since };
        const { replayed } = await call<{ replayed: number }>('/operator/webhook-deliveries/replay', {
          ...{ method: 'POST', body, reason },
        });
        setSaid(`${replayed} are due again`);
      },
    });
  };
  return (
    <details>
      <summary>Send all of a casino again</summary>
      <form class="filters" onSubmit={submit}>
        <div>
          <label for="replay-casino">Casino to send again (id)</label>
          <input id="replay-casino" name="entity_id" required inputMode="numeric" pattern="[0-9]+" />
        </div>
        <div>
          <label for="replay-since">Since (UTC, 2026-01-31T12:00:00Z)</label>
          <input id="replay-since" name="since" required />
        </div>
        <button type="submit">Send again…</button>
        <span role="status">{said}</span>
      </form>
    </details>
  );
};
