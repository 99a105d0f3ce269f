import { useLayoutEffect, useRef } from 'preact/hooks';
import { timeText } from '../parts/time.tsx';
import { type Step, stepAt } from './fold.ts';

type StepsProps = {
  readonly steps: readonly Step[];
  readonly place: number;
  readonly onShow: (revision: number) => void;
};

/** Three ways through time: a slider, a step at a time, and a time to be typed. */
export const Steps = ({ steps, place, onShow }: StepsProps) => {
  const last = steps.length - 1;
  const event = steps[place]?.event;
  const at = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (at.current) at.current.value = event?.recorded_at ?? '';
  }, [place]);
  const submit = (submitted: SubmitEvent): void => {
    submitted.preventDefault();
    const typed = at.current?.value.trim().replace(' ', 'T') ?? '';
    onShow(Number.isNaN(Date.parse(typed)) ? place : Math.max(0, stepAt(steps, typed)));
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
      <button type="button" onClick={() => onShow(last)} disabled={place === last}>
        Now
      </button>
      <form onSubmit={submit} class="steps">
        <div>
          <label for="at">As of (UTC)</label>
          <input id="at" ref={at} size={26} autocomplete="off" />
        </div>
        <button type="submit">Go</button>
      </form>
      <p role="status">{said}</p>
    </section>
  );
};
