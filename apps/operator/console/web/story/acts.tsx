import type { Deposit } from '#deposits';
import { call } from '../calls.ts';
import { useAsk } from '../parts/confirm.tsx';
import { useCan } from '../session/session.ts';

type ActsProps = { readonly id: string; readonly now: Deposit | undefined; readonly onDone: () => void };

const Before = ({ before, after }: { before: string; after: string }) => (
  <p>
    Now: <strong>{before}</strong>. Then: <strong>{after}</strong>.
  </p>
);

/** What whoever is signed in can do about this deposit as it stands now. */
export const Acts = ({ id, now, onDone }: ActsProps) => {
  const can = useCan();
  const ask = useAsk();
  const kyt = now?.standing.kytStatus;
  const results = kyt === 'review' ? (['passed', 'failed'] as const) : kyt === 'failed' ? (['passed'] as const) : [];
  const review = (result: string) =>
    ask({
      title: `Decide the KYT review of deposit ${id}: ${result}`,
      label: `Say that it ${result === 'passed' ? 'passed' : 'failed'}`,
      dangerous: true,
      children: <Before before={`kyt_status ${kyt}`} after={`kyt_status ${result}`} />,
      act: async (reason) => {
        const body = { result, note: reason };
        await call(`/operator/deposits/${id}/kyt-review`, { method: 'POST', body, reason });
        onDone();
      },
    });
  const release = () =>
    ask({
      title: `Release the return of deposit ${id}`,
      label: 'Release the return',
      dangerous: true,
      children: (
        <Before
          before={`held because of ${now?.standing.returnHeldBecause}`}
          after="queued, and sent with the next refunds"
        />
      ),
      act: async (reason) => {
        await call(`/operator/deposits/${id}/release-return`, { method: 'POST', reason });
        onDone();
      },
    });
  const withheld = now?.standing.settlementWithheld;
  const settle = () =>
    ask({
      title: `Let deposit ${id} be settled`,
      label: 'Release the settlement',
      dangerous: true,
      children: <Before before={`withheld: ${withheld}`} after="settled with the next batch in spite of that" />,
      act: async (reason) => {
        await call(`/operator/settlements/${id}/release`, { method: 'POST', body: { note: reason }, reason });
        onDone();
      },
    });
  return (
    <div class="buttons">
      {can('reviewKyt') &&
        results.map((result) => (
          <button key={result} type="button" onClick={() => review(result)}>
            KYT {result}…
          </button>
        ))}
      {can('releaseReturn') && now?.standing.returnHeldBecause && (
        <button type="button" onClick={release}>
          Release the return…
        </button>
      )}
      {can('releaseSettlement') && withheld && withheld !== 'released' && (
        <button type="button" onClick={settle}>
          Release the settlement…
        </button>
      )}
    </div>
  );
};
