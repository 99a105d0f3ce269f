/** What is read of the older transactions: the projection that writes their rows, and the queries over them. */
export { transactionProjections, transactionStreams } from './projection.ts';
export { openTransactionReads, type TransactionFilters, type TransactionReads } from './reads.ts';
