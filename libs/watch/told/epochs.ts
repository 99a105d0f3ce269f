import { factId, idOf, type Told } from '../signals.ts';
import type { Fact } from './in-log.ts';

type About = Omit<Told, 'epoch' | 'amount'>;

/** `givenUp`: the block that it was told to be confirmed in before; a reorganisation is told with that. */
const idsOf = (told: About & Pick<Told, 'epoch'>, fact: Fact, givenUp: string | undefined): readonly string[] => {
  switch (fact.kind) {
    case 'seen':
      return [idOf('payment.seen', told), idOf('payment.seen', told, 'replaceable')];
    case 'confirmed':
      return [idOf('payment.confirmed', told, fact.block.hash)];
    case 'double_spent':
      return [idOf('payment.double_spent', told, fact.replacedBy)];
    case 'reorged':
      return givenUp === undefined ? [] : [idOf('payment.reorged', told, givenUp)];
    case 'dropped':
      return [idOf('payment.dropped', told)];
  }
};

/** In which of its stories, up to this one, a payment was told so; undefined: no watcher of this chain told that. */
export const epochOf = (about: About, fact: Fact, most: number, givenUp?: string): number | undefined => {
  for (let epoch = 0; epoch <= most; epoch += 1) {
    const ids = idsOf({ ...about, epoch }, fact, givenUp);
    if (ids.some((id) => id === fact.signalId || factId('again', id) === fact.signalId)) return epoch;
  }
  return undefined;
};
