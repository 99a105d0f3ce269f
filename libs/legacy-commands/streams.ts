export const transactionStreamPrefix = 'legacy-transaction-';

/** The history of one transaction of the older interface. */
export const transactionStream = (transactionId: number): string => `${transactionStreamPrefix}${transactionId}`;

/** Its signals that changed nothing: kept beside its history, never in it. */
export const transactionSetAsideStream = (transactionId: number): string => `legacy-signals-${transactionId}`;
