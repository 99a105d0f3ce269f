import { useEffect, useState } from 'preact/hooks';
import type { EventBody } from '../../../history/event-body.ts';
import { Time } from '../parts/time.tsx';
import type { Link } from './chain.ts';
import { NEWEST as SHOWN } from './history.ts';

const SAID: Readonly<Record<Link, string>> = {
  proven: 'proven',
  changed: 'changed after it was written',
  unlinked: 'does not follow the event before it',
};

const WHY = ['reason', 'note', 'status', 'result', 'txid', 'unknownSendersOf', 'signalId'] as const;

/** What the event itself says of why it came. */
const whyOf = (data: Readonly<Record<string, unknown>>): string =>
  WHY.flatMap((name) => (typeof data[name] === 'string' ? [`${name}: ${data[name]}`] : [])).join(', ');

const classOf = (revision: number, place: number, link: Link | undefined): string =>
  [
    ...(revision === place ? ['shown'] : []),
    ...(revision > place ? ['later'] : []),
    ...(link && link !== 'proven' ? ['broken'] : []),
  ].join(' ');

/** Written out once somebody opens it. */
const Recorded = ({ event }: { event: EventBody }) => {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{`As it was recorded (revision ${event.revision})`}</summary>
      {open && <pre>{JSON.stringify(event, null, 2)}</pre>}
    </details>
  );
};

type EventsProps = {
  readonly events: readonly EventBody[];
  /** Of the first of them: the ones before it are still to come. */
  readonly first: number;
  readonly links: readonly Link[] | undefined;
  readonly place: number;
  readonly onShow: (revision: number) => void;
};

/**
 * Every event with who and why; the newest first, since that is what is looked for. Those about the shown one: a browser
 * lays out a few hundred of them at once, and not thousands.
 */
export const Events = ({ events, first, links, place, onShow }: EventsProps) => {
  const length = first + events.length;
  const chosen = Math.floor((length - 1 - place) / SHOWN);
  const [page, setPage] = useState(chosen);
  useEffect(() => setPage(chosen), [chosen]);
  const end = length - page * SHOWN;
  const start = Math.max(0, end - SHOWN);
  return (
    <>
      {length > SHOWN && (
        <div class="buttons">
          <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
            Newer events
          </button>
          <button type="button" disabled={start === 0} onClick={() => setPage(page + 1)}>
            Older events
          </button>
          <span role="status">{`Revisions ${start} to ${end - 1} of ${length - 1}`}</span>
        </div>
      )}
      <ol class="events" reversed start={end}>
        {events
          .slice(Math.max(0, start - first), Math.max(0, end - first))
          .toReversed()
          .map((event) => {
            const { revision, type, recorded_at, actor, data } = event;
            const link = links?.[revision];
            return (
              <li key={revision} class={classOf(revision, place, link)}>
                <button type="button" aria-pressed={revision === place} onClick={() => onShow(revision)}>
                  {revision} {type}
                </button>{' '}
                <Time at={recorded_at} /> by {actor ?? 'nobody named'}
                {whyOf(data) && ` – ${whyOf(data)}`}{' '}
                {link && <span class={link === 'proven' ? 'good' : 'problem'}>{SAID[link]}</span>}
                <Recorded event={event} />
              </li>
            );
          })}
      </ol>
    </>
  );
};
