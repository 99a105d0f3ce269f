import { required, type ToldField } from './fields.ts';
import { keepableText } from './kinds.ts';
import { instant } from './time.ts';

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
