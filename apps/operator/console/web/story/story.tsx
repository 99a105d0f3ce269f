import { useEffect, useMemo, useState } from 'preact/hooks';
import type { EventsBody } from '../../../history/event-body.ts';
import { useLoad } from '../parts/load.ts';
import { Page } from '../parts/page.tsx';
import { go } from '../router.ts';
import { Acts } from './acts.tsx';
import { Beside } from './beside.tsx';
import { type Link, provenLinks } from './chain.ts';
import { Check } from './check.tsx';
import { Events } from './events.tsx';
import { Facts } from './facts.tsx';
import { changedBetween, factsOf, stepAt, stepsOf } from './fold.ts';
import { Steps } from './steps.tsx';

/** A history only grows: of one of thousands of events the new ones are asked for alone. */
const useHistory = (path: string | undefined, query: string) =>
  useLoad<EventsBody>(path && `${path}?${query}`, {
    live: true,
    rest: {
      of: ({ events }) => `${path}?cursor=${events.length}&${query}`,
      put: (known, rest) => (rest.events.length === 0 ? known : { ...rest, events: [...known.events, ...rest.events] }),
    },
  });

const useLinks = (history: EventsBody | undefined): readonly Link[] | undefined => {
  const [links, setLinks] = useState<readonly Link[]>();
  useEffect(() => {
    const abort = new AbortController();
    if (history)
      void provenLinks(history.stream, history.events, abort.signal).then((proven) => {
        if (!abort.signal.aborted) setLinks(proven);
      });
    return () => abort.abort();
  }, [history]);
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

const placeIn = ({ revision, at }: Props['query'], steps: ReturnType<typeof stepsOf>): number => {
  const last = steps.length - 1;
  const place = at ? stepAt(steps, at) : Number(revision ?? last);
  return Number.isInteger(place) ? Math.min(last, Math.max(0, place)) : last;
};

/** A deposit through time: what its partner read after each event, who brought that about, and what followed. */
export const Story = ({ id, query }: Props) => {
  const path = `/operator/deposits/${id}/events`;
  const loaded = useHistory(path, 'raw=false');
  const history = loaded.data;
  const steps = useMemo(() => stepsOf(history?.events ?? []), [history]);
  // Proven is what was written, shown is what it means now; it is shown before it is proven.
  const raw = useHistory(history && path, 'raw=true');
  const links = useLinks(raw.data);
  const place = placeIn(query, steps);
  const step = steps[place];
  const facts = factsOf(step);
  const show = (revision: number) =>
    go(`/deposits/${id}${revision >= steps.length - 1 ? '' : `?revision=${revision}`}`, { replace: true });
  return (
    <Page title={`Deposit ${id}`} loaded={loaded}>
      {step && (
        <>
          <Steps steps={steps} place={place} onShow={show} />
          <Facts facts={facts} changed={place === 0 ? new Set() : changedBetween(factsOf(steps[place - 1]), facts)} />
          <Acts id={id} now={steps.at(-1)?.deposit} onDone={loaded.reload} />
          <h2>History</h2>
          <Proof links={links} />
          <Check id={id} facts={factsOf(steps.at(-1))} turn={history?.events.length ?? 0} />
          <Events steps={steps} links={links} place={place} onShow={show} />
          <Beside id={id} deposit={step.deposit} />
        </>
      )}
    </Page>
  );
};
