import { type Instant, isCalendarDay, readInstant } from '#deposits';
import { required, type ToldField } from './fields.ts';
import { type Kind, keepableText } from './kinds.ts';
import { Malformed } from './raw-signal.ts';

/** Beyond these years a time has no four digits once its zone or a deadline is added, and no column takes it. */
const [FIRST, LAST] = ['0002', '9998'];

/** In UTC with milliseconds. It may be past or future: no clock is asked. */
const instant: Kind<Instant> = {
  schema: { type: 'string', format: 'date-time' },
  read: (value, name) => {
    if (value === undefined) throw new Malformed(`${name} is missing`);
    const time = typeof value === 'string' && isCalendarDay(value.slice(0, 10)) ? readInstant(value) : undefined;
    if (time === undefined) throw new Malformed(`${name} has to be an ISO 8601 time with its zone`);
    const year = time.slice(0, 4);
    if (time.startsWith('+') || time.startsWith('-') || year < FIRST || year > LAST)
      throw new Malformed(`${name} has to lie in the years ${Number(FIRST)} to ${LAST}`);
    return time;
  },
};

export const MAX_ID = 128;

/** Read apart, since nothing can be said of a signal without it. */
export const signalId: ToldField = {
  name: 'signal_id',
  required: true,
  schema: {
    ...keepableText(MAX_ID),
    description: 'A name of its own, over all deposits: the same again changes nothing',
    example: 'sig-1',
  },
};

export const at = required('at', instant, {
  description: 'When the fact was, with its zone; it may be past, future or out of order',
  example: '2026-11-21T14:00:00.000Z',
});
