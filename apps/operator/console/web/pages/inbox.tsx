import type { InboxBody, WaitingBody } from '../../../inbox/inbox-body.ts';
import { useLoad } from '../parts/load.ts';
import { Page } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { ageText, timeText } from '../parts/time.tsx';
import { linkTo, pageOf } from '../router.ts';

/** What it is, and what somebody does about it. */
const WORDS: Readonly<Record<string, readonly [what: string, act: string]>> = {
  projection_stopped: ['Read models that stand still', 'See the event that stopped them, mend it, rebuild'],
  relay_stopped: [
    'Webhooks are not carried: the log lacks what was carried last',
    'Put its own log back, or cointill deliveries take-up',
  ],
  numbers_shared: [
    'Somebody else gives numbers out in this log (7 days)',
    'End what runs on a copy of the database; look for addresses that two deposits have; then cointill numbers raise',
  ],
  history_damaged: ['Histories that are not as they were written', 'See which; restore them from a backup'],
  history_differs: ['The last verification found differences', 'cointill audit jobs shows them, each by its name'],
  chain_held: ['Chains whose next block is not taken', 'See what is in the way, and mend the node'],
  signal_failing: [
    'Signals that a fault of ours keeps back',
    'See the log for why; they are handed in again by themselves',
  ],
  chain_unwatched: [
    'Chains that nobody watches',
    'Start a watcher, or switch the coin off: payments in it are not seen',
  ],
  return_held: ['Returns that screening holds', 'Release them, or leave them held'],
  return_unfunded: [
    'Returns whose payments are not all there',
    'Nothing is sent until they are confirmed again; talk to the casino about what is lost',
  ],
  return_lost: [
    'Returns that were sent, and whose payments are lost',
    'It was sent out of your own funds: talk to the casino about what is lost',
  ],
  lost_after_accept: [
    'Accepted, then lost or found bad',
    'Talk to the casino: it has what is in a batch, and is not paid the rest meanwhile',
  ],
  ofac_hit: ['Frozen after an OFAC hit (30 days)', 'Report it; a return of it is released by an admin alone'],
  payment_without_place: [
    'Payments that found no place (7 days)',
    'Their deposit has too many, often of a stranger: agree with the casino whose each is',
  ],
  address_missing: ['Deposits without an address', 'Add addresses or an extended key'],
  rate_unavailable: ['Rates pinned as unavailable', 'Pin a price, or unpin'],
  service_off: ['Something is switched off', 'Switch it on again when its cause is gone'],
  approval: ['What waits for a second person', 'Look at it, approve or refuse'],
  kyt_review: [
    'KYT reviews',
    'Decide each: passed or failed; its page says where nobody can name the senders of a payment',
  ],
  delivery_dead: ['Webhooks that were given up', 'See what the endpoint answered, send again'],
  endpoint_down: ['Endpoints of webhooks that fail', 'See what they answer; it is tried again by itself'],
  node_sick: ['Nodes of chains that are not well', 'See what is wrong with each'],
  seal_overdue: [
    'No seal for twice SEAL_EVERY, or one of a time to come',
    'cointill audit seal makes one; see in the log what keeps it',
  ],
  verify_failed: ['Verifications that failed (7 days)', 'See the log for why; cointill audit verify makes one anew'],
  numbers_raised: [
    'A database that was put back (7 days)',
    'The audit trail says what was passed over: make lost accounts anew, add addresses, let wallets look past gaps',
  ],
  signal_rejected: ['Rejected signals (7 days)', 'See the reason beside what was sent'],
  pool_low: ['Pools of addresses that run low', 'Add addresses or an extended key'],
  rate_pinned_long: ['Rates pinned for more than a day', 'Check the price, pin anew or unpin'],
  payment_after_decision: [
    'Paid after the decision (30 days)',
    'Nothing credits it or gives it back: agree with the casino whose it is',
  ],
  payment_unconfirmed: [
    'Paid a day ago, and not confirmed',
    'See that the chain is watched, and what the payment waits for; it goes once it is confirmed or gone',
  ],
  transaction_flagged: [
    'Older transactions with late, later or lost money',
    'Settle what is confirmed; of what succeeded already agree with the partner (30 days)',
  ],
  transaction_unconfirmed: [
    'Older transactions paid a day ago, and not confirmed',
    'See that the chain is watched; it goes once it is confirmed or gone',
  ],
  settlement_waiting: ['Accepted a day ago and in no batch', 'See that the engine settles them'],
  kyc_pending: ['Players whose KYC waits', 'Decide each'],
  credential_expiring: ['Keys and tokens that expire within 7 days', 'Make new ones in time'],
};

const what = ({ kind }: WaitingBody): string => WORDS[kind]?.[0] ?? kind;
const count = ({ count, capped }: WaitingBody): string => (capped ? `more than ${count}` : String(count));

/** Much of what waits is no event of the log: an approval, an endpoint, a node. */
const COUNTED_EVERY_MS = 5_000;

export const Inbox = () => {
  const loaded = useLoad<InboxBody>('/operator/inbox', { live: true, every: COUNTED_EVERY_MS });
  return (
    <Page title="Inbox" loaded={loaded}>
      {loaded.data && (
        <Table
          caption="What waits for a human, the most pressing first"
          none="Nothing waits for a human."
          rows={loaded.data.waiting}
          keyOf={({ kind }) => kind}
          columns={[
            {
              head: 'Severity',
              text: ({ severity }) => severity,
              cell: ({ severity }) => <span class={`severity-${severity}`}>{severity}</span>,
            },
            { head: 'What', text: what, cell: (row) => <a href={linkTo(pageOf(row.href))}>{what(row)}</a> },
            { head: 'How many', text: count, numeric: true },
            {
              head: 'Oldest',
              text: ({ oldest_at }) => oldest_at ?? '',
              cell: ({ oldest_at }) =>
                oldest_at ? (
                  <time dateTime={oldest_at} title={timeText(oldest_at)}>{`${ageText(oldest_at)} ago`}</time>
                ) : (
                  '–'
                ),
            },
            { head: 'What to do', text: ({ kind }) => WORDS[kind]?.[1] ?? '' },
          ]}
        />
      )}
    </Page>
  );
};
