import { useEffect, useState } from 'preact/hooks';
import { useLoad } from '../parts/load.ts';
import { Page } from '../parts/page.tsx';
import { timeTyped } from '../parts/time.tsx';
import { go } from '../router.ts';
import { Acts } from './acts.tsx';
import { Beside } from './beside.tsx';
import { type Link, provenLinks } from './chain.ts';
import { Check } from './check.tsx';
import { Events } from './events.tsx';
import { Facts } from './facts.tsx';
import { changedBetween, type Facts as FactsOf, factsOf, revisionAt, type Step, standing } from './fold.ts';
import { type History, useHistory } from './history.ts';
import { Steps } from './steps.tsx';

const useLinks = ({ loaded, written, first }: History): readonly Link[] | undefined => {
  const [links, setLinks] = useState<readonly Link[]>();
  const stream = loaded.data?.stream;
  useEffect(() => {
    const abort = new AbortController();
    if (stream !== undefined && first === 0)
      void provenLinks(stream, written, abort.signal).then((proven) => {
        if (!abort.signal.aborted) setLinks(proven);
      });
    return () => abort.abort();
  }, [stream, written, first]);
  return links;
};

const Proof = ({ links }: { links: readonly Link[] | undefined }) => {
  if (!links) return <p>Proving the chain…</p>;
  const broken = links.flatMap((link, revision) => (link === 'proven' ? [] : [`revision ${revision} is ${link}`]));
  return broken.length === 0 ? (
    <p class="good">The chain of {links.length} events is whole: recomputed here, in this browser.</p>
  ) : (
    <p class="problem">The chain is broken: {broken.join(', ')}.</p>
  );
};

type Props = { readonly id: string; readonly query: Readonly<Record<string, string>> };

/** What is asked for, as far as it can be told from what is here. */
const placeIn = ({ revision, at }: Props['query'], { written, first }: History, last: number): number | undefined => {
  const place = at ? (revisionAt(written, at) ?? (first === 0 ? 0 : undefined)) : Number(revision ?? last);
  if (place === undefined) return undefined;
  return Number.isInteger(place) ? Math.min(last, Math.max(0, place)) : last;
};

/** Where the page stands; `unread`: the time that is asked for, where it cannot be read as one, and no event is shown. */
const standIn = (query: Props['query'], history: History, last: number) => {
  if (query.at && Number.isNaN(timeTyped(query.at))) return { place: last, unread: query.at };
  const place = placeIn(query, history, last);
  return place === undefined ? {} : { place, event: history.written[place - history.first] };
};

type Then = { readonly facts: FactsOf; readonly changed: ReadonlySet<string> };

/** What can be told of a history that is all here: nothing of what comes behind the first break. */
type Told = {
  /** So many of its events. */
  readonly stands: number;
  readonly isDamaged: boolean;
  /** The last of them. */
  readonly last: Step | undefined;
};

const toldOf = ({ steps, count, damage }: History, links: readonly Link[] | undefined): Told | undefined => {
  if (!steps) return undefined;
  const stands = Math.min(standing(links, steps, count), damage?.revision ?? count);
  return { stands, isDamaged: stands < count || damage !== undefined, last: steps[stands - 1] };
};

const stepAt = ({ steps }: History, told: Told | undefined, place: number): Step | undefined =>
  told && place >= told.stands ? told.last : steps?.[place];

const thenIn = (history: History, told: Told, place: number): Then => {
  const facts = factsOf(stepAt(history, told, place));
  const isFirst = place === 0 || place >= told.stands;
  return { facts, changed: isFirst ? new Set() : changedBetween(factsOf(stepAt(history, told, place - 1)), facts) };
};

const Damaged = ({ from }: { from: number }) => (
  <p class="problem" role="alert">
    {from === 0
      ? 'The history is damaged from its first event on: nothing of it can be told.'
      : `The history is damaged from revision ${from} on: this is what stood before it.`}
  </p>
);

/** At the break and behind it; where an end is gone, at the last that is left. */
const isAtDamage = (told: Told, place: number, last: number): boolean =>
  told.isDamaged && place >= Math.min(told.stands, last);

type AsReadProps = {
  readonly told: Told | undefined;
  readonly then: Then | undefined;
  readonly place: number;
  readonly last: number;
};

const AsRead = ({ told, then, place, last }: AsReadProps) => (
  <>
    {told && isAtDamage(told, place, last) && <Damaged from={told.stands} />}
    {then ? <Facts {...then} /> : <p>Reading the whole history…</p>}
  </>
);

const Wrong = ({ what }: { what: History['damage'] }) => (what ? <p class="problem">{what.problem}</p> : null);

/** A deposit through time: what its partner read after each event, who brought that about, and what followed. */
export const Story = ({ id, query }: Props) => {
  const history = useHistory(id);
  const { loaded, written, first, steps, problem } = history;
  const links = useLinks(history);
  const last = written.at(-1)?.revision ?? -1;
  const { place, event, unread } = standIn(query, history, last);
  // Until all of a long history is here, what it comes to is what partners are served.
  const row = useLoad<FactsOf>(steps || place !== last ? undefined : `/operator/deposits/${id}`).data;
  const told = toldOf(history, links);
  const then: Then | undefined =
    told && place !== undefined ? thenIn(history, told, place) : row && { facts: row, changed: new Set() };
  const show = (revision: number) =>
    go(`/deposits/${id}${revision >= last ? '' : `?revision=${revision}`}`, { replace: true });
  const showThen = (at: string) => go(`/deposits/${id}?${new URLSearchParams({ at })}`, { replace: true });
  return (
    <Page title={`Deposit ${id}`} loaded={loaded}>
      <Wrong what={history.damage} />
      {place !== undefined && last >= 0 && (
        <>
          <Steps {...{ event, place, last, unread }} onShow={show} onTime={showThen} />
          {unread === undefined && <AsRead {...{ told, then, place, last }} />}
          {problem && <p class="problem">The whole history cannot be read: {problem}</p>}
          <Acts id={id} now={told?.isDamaged ? undefined : told?.last?.deposit} onDone={loaded.reload} />
          <h2>History</h2>
          <Proof links={links} />
          {told?.last && <Check id={id} facts={factsOf(told.last)} turn={history.count} />}
          <Events events={written} {...{ first, links, place }} onShow={show} />
          <Beside id={id} deposit={event && stepAt(history, told, place)?.deposit} />
        </>
      )}
    </Page>
  );
};
