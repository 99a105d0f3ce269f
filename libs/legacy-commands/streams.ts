export const transactionStreamPrefix = 'legacy-transaction-';
const SET_ASIDE = 'legacy-signals-';

/** What every stream begins with that these commands write. */
export const transactionStreamPrefixes = [transactionStreamPrefix, SET_ASIDE] as const;

/** The history of one transaction of the older interface. */
export const transactionStream = (transactionId: number): string => `${transactionStreamPrefix}${transactionId}`;

/** Its signals that changed nothing: kept beside its history, never in it. */
export const transactionSetAsideStream = (transactionId: number): string => `${SET_ASIDE}${transactionId}`;
