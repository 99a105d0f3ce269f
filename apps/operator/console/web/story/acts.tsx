import { type Deposit, holdsOf, sinceOf, withholdingsOf } from '#deposits';
import { call } from '../calls.ts';
import { Act } from '../parts/act.tsx';
import type { Question } from '../parts/question.ts';
import { useMe } from '../session/session.ts';

type ActsProps = { readonly id: string; readonly now: Deposit | undefined; readonly onDone: () => void };

const Before = ({ before, after }: { before: string; after: string }) => (
  <p>
    Now: <strong>{before}</strong>. Then: <strong>{after}</strong>.
  </p>
);

type Release = Pick<Question, 'title' | 'label' | 'children'>;

const settles = (id: string, withheld: readonly string[]): Release => ({
  title: `Let deposit ${id} be settled`,
  label: 'Release the settlement',
  children: <Before before={`withheld: ${withheld.join(', ')}`} after="settled with the next batch in spite of that" />,
});

/** What was settled before keeps its batch, whatever is found of it: a release says no more than that somebody saw to it. */
const stands = (id: string, batch: string, withheld: readonly string[]): Release => ({
  title: `Let the settlement of deposit ${id} stand`,
  label: 'Let it stand',
  children: (
    <Before
      before={`settled in batch ${batch}, and since then ${withheld.join(', ')}`}
      after="settled all the same, and seen to: the inbox tells of it no more"
    />
  ),
});

/** Why no answer of the provider ends a review; nothing once an operator has, or where it has failed. */
const Unnamed = ({ now }: Pick<ActsProps, 'now'>) => {
  const [txid, ...more] = now?.standing.kytStatus === 'review' ? now.unknownSendersOf : [];
  if (txid === undefined) return null;
  return (
    <p class="problem">
      Nobody can name the senders of {txid}
      {more.length > 0 && ` and of ${more.length} more`}: the provider screens those that are named alone, so that the
      review ends by what is decided here, or by a failure.
    </p>
  );
};

/** Up to where it was looked at: what comes up again later is not what this page shows. */
const lastOf = (deposit: Deposit | undefined, ...shown: Parameters<typeof sinceOf>[1][]): number =>
  deposit ? Math.max(...shown.map((one) => sinceOf(deposit, one))) : 0;

/** What is not there is not sent, held or not. */
const released = (unfunded: string | null | undefined): string =>
  unfunded ? `free, and not sent while its payment is ${unfunded}` : 'queued, and sent with the next refunds';

/** What whoever is signed in can do about this deposit as it stands now. */
export const Acts = ({ id, now, onDone }: ActsProps) => {
  const kyt = now?.standing.kytStatus;
  const [holds, withheld] = now ? [holdsOf(now), withholdingsOf(now)] : [[], []];
  const held = holds.join(', ');
  const batch = now?.settlementBatchId ?? undefined;
  const release = batch === undefined ? settles(id, withheld) : stands(id, batch, withheld);
  const { role } = useMe();
  // "…releases after an OFAC hit": an admin's alone.
  const mayRelease = role === 'admin' || (!holds.includes('ofac_hit') && now?.standing.ofacStatus !== 'hit');
  const results = kyt === 'review' ? (['passed', 'failed'] as const) : kyt === 'failed' ? (['passed'] as const) : [];
  const send = (path: string, reason: string, body: object) =>
    call(`/operator/${path}`, { method: 'POST', reason, body }).then(onDone);
  return (
    <>
      {batch !== undefined && <p>Settled in batch {batch}: the casino has it.</p>}
      <Unnamed now={now} />
      <div class="buttons">
        {results.map((result) => (
          <Act
            key={result}
            needs="reviewKyt"
            text={`KYT ${result}`}
            ask={{
              title: `Decide the KYT review of deposit ${id}: ${result}`,
              label: `Say that it ${result === 'passed' ? 'passed' : 'failed'}`,
              dangerous: true,
              children: (
                <>
                  <Before before={`kyt_status ${kyt}`} after={`kyt_status ${result}`} />
                  {held && <p>The return stays held because of {held} until it is released.</p>}
                </>
              ),
              act: (reason) =>
                send(`deposits/${id}/kyt-review`, reason, {
                  ...{ result, note: reason, kyt_status: kyt },
                  seen_revision: lastOf(now, 'kyt'),
                }),
            }}
          />
        ))}
        {held && mayRelease && (
          <Act
            needs="releaseReturn"
            text="Release the return"
            ask={{
              title: `Release the return of deposit ${id}`,
              label: 'Release the return',
              dangerous: true,
              children: (
                <>
                  <Before before={`held because of ${held}`} after={released(now?.standing.returnUnfundedBecause)} />
                  <p>
                    Sends{' '}
                    <strong>
                      {now?.refund?.cryptoAmount} {now?.terms.currency}
                    </strong>{' '}
                    to <strong>{now?.refund?.returnAddress}</strong>.
                  </p>
                </>
              ),
              act: (reason) =>
                send(`deposits/${id}/release-return`, reason, {
                  ...{ held_because: holds, seen_revision: lastOf(now, ...holds) },
                }),
            }}
          />
        )}
        {withheld.length > 0 && (
          <Act
            needs="releaseSettlement"
            text={release.label}
            ask={{
              ...release,
              dangerous: true,
              act: (reason) =>
                send(`settlements/${id}/release`, reason, {
                  ...{ note: reason, withheld, seen_revision: lastOf(now, 'batch', ...withheld) },
                }),
            }}
          />
        )}
      </div>
    </>
  );
};
