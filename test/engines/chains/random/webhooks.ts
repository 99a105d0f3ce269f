import {
  type Arrival,
  type DepositHandle,
  deliveriesOf,
  type Endpoint,
  eventually,
  type Service,
} from '../../../acceptance/harness/index.ts';
import { historyOf, type Told } from '../driver/live.ts';

type Data = {
  readonly at?: string;
  readonly counts?: boolean;
  readonly changes?: {
    readonly status?: string;
    readonly kytStatus?: string;
    readonly kytRiskScore?: string | null;
    readonly ofacStatus?: string;
    readonly doubleSpentAt?: string | null;
  };
};

const isConfirmed = (status: string): boolean => status.startsWith('Confirmed');

const ofStatus = (status: string): string => `transaction.${isConfirmed(status) ? 'confirmed' : status.toLowerCase()}`;

/** What a casino has to be told of one fact, by the interface's table of events. */
const dueOf = (type: string, { counts, changes = {} }: Data, before: string): ReadonlySet<string> => {
  const { status, kytStatus, kytRiskScore, ofacStatus, doubleSpentAt } = changes;
  const isKytNew = kytStatus !== undefined || kytRiskScore !== undefined;
  return new Set([
    ...(type === 'QuoteIssued' ? ['transaction.pending'] : []),
    ...(type === 'PaymentSeen' && counts ? ['deposit.received'] : []),
    ...(type.startsWith('Kyt') && isKytNew ? ['kyt_complete'] : []),
    ...(status === undefined ? [] : [ofStatus(status)]),
    ...(status !== undefined && isConfirmed(status) && !isConfirmed(before) ? ['deposit.confirmed'] : []),
    ...(ofacStatus === undefined || ofacStatus === 'pending' ? [] : ['ofac_complete']),
    ...(doubleSpentAt ? ['double_spend_alert'] : []),
  ]);
};

/** A quote says when it ends, and not when it was made. */
const named = (event: string, second: number): string =>
  event === 'transaction.pending' ? event : `${event} at ${second}`;

/** Each webhook of a history, with the second of its fact. */
const duesOf = (history: readonly Told[]): readonly string[] => {
  let status = 'Pending';
  return history.flatMap(({ type, data }) => {
    const fact = data as Data;
    const due = dueOf(type, fact, status);
    status = fact.changes?.status ?? status;
    return [...due].map((event) => named(event, Math.floor(Date.parse(fact.at ?? '') / 1_000)));
  });
};

/** As the endpoint has them: by their ids, however often each came. */
const toldAt = ({ arrivals }: Pick<Endpoint, 'arrivals'>, depositId: number): readonly string[] => {
  const byId = new Map<string, Arrival>();
  for (const arrival of arrivals)
    if (arrival.body.deposit_id === depositId) byId.set(String(arrival.headers['x-webhook-id']), arrival);
  return [...byId.values()].map(({ body }) => named(String(body.event), Number(body.timestamp)));
};

/** What stands in one list and not in the other, each as often as it does. */
const without = (one: readonly string[], other: readonly string[]): readonly string[] => {
  const left = [...other];
  return one.filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
};

/** A webhook comes more than once where an answer was lost: then with the same id, and the same words. */
const changedIn = ({ arrivals }: Pick<Endpoint, 'arrivals'>): readonly string[] => {
  const bodies = new Map<string, string>();
  return arrivals.flatMap(({ headers, raw }) => {
    const [id, text] = [String(headers['x-webhook-id']), raw.toString('utf8')];
    const known = bodies.get(id) ?? text;
    bodies.set(id, text);
    return known === text ? [] : [`${id} says one thing and another`];
  });
};

type Stage = { readonly service: Service; readonly endpoint: Endpoint };

/** A deadline may pass while the endpoint is looked at: its history is read each time. */
const comparedOf = async ({ service, endpoint }: Stage, deposit: DepositHandle) => {
  const found = toldAt(endpoint, deposit.id);
  const made = (await deliveriesOf(service, { deposit_id: deposit.id })).length;
  const due = duesOf(await historyOf(service, deposit));
  const wrong = [
    ...without(due, found).map((each) => `deposit ${deposit.id}: no webhook ${each}`),
    ...without(found, due).map((each) => `deposit ${deposit.id}: a webhook ${each} of no fact`),
    ...(made === due.length ? [] : [`deposit ${deposit.id}: ${made} deliveries of ${due.length} facts`]),
  ];
  return { wrong, told: found.length };
};

/** Fact by fact: each that a casino has to be told of has one webhook id at its endpoint, and no other id is there. */
export const webhooksOf = async (service: Service, endpoint: Endpoint, deposits: readonly DepositHandle[]) => {
  const wrong: string[] = [];
  let told = 0;
  for (const deposit of deposits) {
    const compare = () => comparedOf({ service, endpoint }, deposit);
    const compared = await eventually(compare, (each) => each.wrong.length === 0, 60_000);
    told += compared.told;
    wrong.push(...compared.wrong);
  }
  return { wrong: [...wrong, ...changedIn(endpoint)], told };
};
