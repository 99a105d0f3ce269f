import { useLayoutEffect, useRef } from 'preact/hooks';
import type { EventBody } from '../../../history/event-body.ts';
import { timeText } from '../parts/time.tsx';

type StepsProps = {
  /** The one that stands at `place`, once it is here. */
  readonly event: EventBody | undefined;
  readonly place: number;
  readonly last: number;
  /** The time that was asked for, where it cannot be read as one. */
  readonly unread: string | undefined;
  readonly onShow: (revision: number) => void;
  readonly onTime: (at: string) => void;
};

/** Three ways through time: a slider, a step at a time, and a time to be typed. */
export const Steps = ({ event, place, last, unread, onShow, onTime }: StepsProps) => {
  const at = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (at.current) at.current.value = unread ?? event?.recorded_at ?? '';
  }, [event, unread]);
  const submit = (submitted: SubmitEvent): void => {
    submitted.preventDefault();
    onTime(at.current?.value.trim() ?? '');
  };
  const said = event ? `Revision ${place} of ${last}: ${event.type} at ${timeText(event.recorded_at)}` : '';
  return (
    <section aria-label="Time" class="steps">
      <button type="button" onClick={() => onShow(0)} disabled={place === 0}>
        First
      </button>
      <button type="button" onClick={() => onShow(place - 1)} disabled={place === 0}>
        Before
      </button>
      <input
        type="range"
        aria-label="Revision"
        aria-valuetext={said}
        min={0}
        max={last}
        value={place}
        onInput={({ currentTarget }) => onShow(Number(currentTarget.value))}
      />
      <button type="button" onClick={() => onShow(place + 1)} disabled={place === last}>
        Next
      </button>
      <button type="button" onClick={() => onShow(last)} disabled={place === last && unread === undefined}>
        Now
      </button>
      <form onSubmit={submit} class="steps">
        <div>
          <label for="at">As of (UTC)</label>
          <input id="at" ref={at} size={26} autocomplete="off" required aria-invalid={unread !== undefined} />
        </div>
        <button type="submit">Go</button>
      </form>
      <p role="status">{said}</p>
      {unread !== undefined && (
        <p role="alert" class="problem">
          “{unread}” cannot be read as a time: write a day, as 2026-01-31, or a time, as 2026-01-31 14:05:00.
        </p>
      )}
    </section>
  );
};
