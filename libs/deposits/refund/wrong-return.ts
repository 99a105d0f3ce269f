import type { Refund } from '../floor/state.ts';

export const wrongReturn = (refund: Refund | null, { returnId }: { readonly returnId: number }): string | undefined => {
  if (refund === null) return 'the deposit was not returned';
  return refund.returnId === returnId ? undefined : `return_id has to be ${refund.returnId}`;
};
