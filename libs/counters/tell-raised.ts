import type { Logger } from '#platform/logging';
import type { Raised } from './put-back.ts';

const RAISED = 'numbers, indexes and addresses go on above what may have been given out since the backup';
const ACCOUNTS_RAISED = 'ids of accounts go on above what may have been given out since the backup';

export const tellRaised = (logger: Pick<Logger, 'error'>, { because, setAside, onlyAccounts }: Raised): void => {
  const counted = setAside.map(({ currency, addresses }) => ({ currency, addresses: addresses.length }));
  const told = { alert: 'numbers_raised', because, set_aside: counted };
  logger.error(told, onlyAccounts ? ACCOUNTS_RAISED : RAISED);
};
