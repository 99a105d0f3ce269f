import {
  as,
  type DepositHandle,
  depositOf,
  done,
  type Hooked,
  type Quote,
  type Service,
  unique,
} from '../../acceptance/harness/index.ts';

const took = (outcome: string): void => {
  if (outcome !== 'applied' && outcome !== 'duplicate') throw new Error(`a signal was ${outcome}`);
};

/** "A retry after a recorded decision returns 400 already-decided, which means the first call worked." */
const accept = async (deposit: DepositHandle): Promise<void> => {
  const { status, text } = await deposit.accept();
  if (status !== 200 && !(status === 400 && text.includes("Decision is already 'accepted'")))
    throw new Error(`accept was answered ${status}: ${text}`);
};

/** From create to accept, with a caller who repeats what was not answered. */
export const live = async (service: Service, { casino }: Hooked): Promise<DepositHandle> => {
  const player = await casino.player();
  const answer = await casino.create(casino.order(player), { 'Idempotency-Key': unique('order') });
  const quote = as<Quote>(done(answer));
  const deposit = depositOf(service, casino, quote);
  took(await deposit.pay());
  took(await deposit.confirm());
  took(await deposit.kyt('passed'));
  took(await deposit.ofac('clear'));
  await accept(deposit);
  return deposit;
};
