import type { AddOutcome, AddRefusal } from '#addresses';
import { answersTo, appliedOr } from '#door/answers';
import { shown } from '#door/errors';

const MOST_NAMED = 5;

const named = (addresses: readonly string[]): string => {
  const more = addresses.length - MOST_NAMED;
  return addresses.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
};

export const addressErrors = {
  invalid: (currency: string, addresses: readonly string[]) =>
    shown(400, `Nothing was added: no address of the main network of ${currency}: ${named(addresses)}`, {
      code: 'address_invalid',
    }),
  repeated: (addresses: readonly string[]) =>
    shown(400, `Nothing was added: listed more than once: ${named(addresses)}`, { code: 'address_repeated' }),
  known: (addresses: readonly string[]) =>
    shown(409, `Nothing was added: already in a pool, or given to a deposit: ${named(addresses)}`, {
      code: 'address_known',
    }),
} as const;

const refused = answersTo<AddRefusal>({
  repeated: ({ addresses }) => addressErrors.repeated(addresses),
  known: ({ addresses }) => addressErrors.known(addresses),
});

export const added = appliedOr<AddOutcome>({ refused: ({ refusal }) => refused(refusal) });
